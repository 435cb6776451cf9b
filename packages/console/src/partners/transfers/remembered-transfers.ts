import { userOfPage } from '../api/login-session.ts';
import { forgetParts, partsAside, putAside, takeBack, untilAside } from './records-aside.ts';
import type { Transfer } from './transfer.ts';

/** What is remembered of a transfer beyond the life of the page. */
export interface RememberedTransfer extends Pick<
  Transfer,
  'id' | 'folder' | 'name' | 'size' | 'lastModified' | 'overwrites' | 'failure'
> {
  readonly isPaused: boolean;
  /** The user who began it. */
  readonly user: string;
  /** The page that takes care of it. */
  readonly page: string;
}

const keyPrefix = 'waybill-upload:';

/** More would not fit into the storage that other tabs can look at. The others are in the database of the browser. */
const mostInStorage = 2_000;

/** Records of other pages that are written within this time are read together. */
const gatherMs = 300;

/** An identifier that no other page has. (`randomUUID` exists on pages of HTTPS only.) */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const ownPage = createId();

/** The unfinished transfers of this page in the storage, and those in the database. */
const written = new Set<string>();
const unwritten = new Map<string, Transfer>();

/** Remembers a transfer of the page's user as long as it is unfinished; without room in the browser's storage, it does not. */
export function rememberTransfer(transfer: Transfer): void {
  const { id } = transfer;
  if (transfer.state === 'stored') return forgetOwnTransfers([id]);
  if (written.has(id) || written.size < mostInStorage) return write(transfer);
  unwritten.set(id, transfer);
  const user = userOfPage.get() ?? '';
  putAside(id, ownPage, () => recordOf(user, transfer));
}

/** Forgets transfers of this page. Others get the room in the storage. */
export function forgetOwnTransfers(ids: readonly string[]): void {
  for (const id of ids) if (unwritten.delete(id)) takeBack(id);
  const freed = ids.filter((id) => written.delete(id));
  forgetTransfers(freed);
  for (const [id, transfer] of unwritten) {
    if (written.size >= mostInStorage) break;
    unwritten.delete(id);
    takeBack(id);
    write(transfer);
  }
}

function write(transfer: Transfer): void {
  written.add(transfer.id);
  const record = JSON.stringify(recordOf(userOfPage.get() ?? '', transfer));
  inStorage(() => localStorage.setItem(`${keyPrefix}${transfer.id}`, record));
}

/** Forgets transfers in the storage, which pages that are gone have remembered. */
export function forgetTransfers(ids: readonly string[]): void {
  for (const id of ids) inStorage(() => localStorage.removeItem(`${keyPrefix}${id}`));
}

/** Without room, or without storage, the uploads go on; only a reload forgets them. */
function inStorage(act: () => void): void {
  try {
    act();
  } catch {
    // As above.
  }
}

/**
 * Takes the unfinished transfers of a user over from pages that are gone: of earlier ones now, and of those in other tabs once
 * they are closed. Those of other users stay where they are. A page holds a lock as long as it lives, which tells the others that it takes care of its transfers itself.
 */
export function adoptTransfers(
  user: string,
  adopted: (transfers: readonly RememberedTransfer[]) => Promise<void>,
): void {
  const take = async (page: string): Promise<void> => {
    const isOrphan = (record: RememberedTransfer): boolean => record.page === page && record.user === user;
    const aside = (await partsAside()).map(({ key, records }) => ({
      key,
      orphans: records.filter(isRemembered).filter(isOrphan),
    }));
    const orphans = [...readRecords().filter(isOrphan), ...aside.flatMap((part) => part.orphans)];
    if (orphans.length === 0) return;
    await adopted([...new Map(orphans.map((record) => [record.id, record])).values()]);
    // Another tab that waits for the same page must not find them again.
    await untilAside();
    await forgetParts(aside.filter((part) => part.orphans.length > 0).map(({ key }) => key));
  };
  // Browsers offer locks to pages of HTTPS only.
  if (!isSecureContext) {
    for (const page of new Set(readRecords().map((record) => record.page))) void take(page);
    return;
  }
  const awaited = new Set([ownPage]);
  const awaitOthers = (): void => {
    for (const { page } of readRecords()) {
      if (awaited.has(page)) continue;
      awaited.add(page);
      void navigator.locks.request(lockOf(page), () => take(page));
    }
  };
  const life = new Promise<void>(() => {});
  void navigator.locks.request(lockOf(ownPage), () => life);
  let isWaiting = false;
  addEventListener('storage', () => {
    // Another page writes thousands of records one after the other.
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      awaitOthers();
    }, gatherMs);
  });
  awaitOthers();
}

function lockOf(page: string): string {
  return `waybill-page:${page}`;
}

function recordOf(
  user: string,
  { id, folder, name, size, lastModified, overwrites, state, failure }: Transfer,
): RememberedTransfer {
  const place = { id, user, folder, name, size, lastModified, overwrites, page: ownPage };
  return { ...place, isPaused: state === 'paused', ...(state === 'failed' && { failure }) };
}

function readRecords(): RememberedTransfer[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return keys.filter((key) => key.startsWith(keyPrefix)).flatMap((key) => parseRecord(localStorage.getItem(key)));
  } catch {
    return [];
  }
}

function parseRecord(text: string | null): RememberedTransfer[] {
  try {
    const record: unknown = JSON.parse(text ?? '');
    return isRemembered(record) ? [record] : [];
  } catch {
    return [];
  }
}

function isRemembered(value: unknown): value is RememberedTransfer {
  if (typeof value !== 'object' || value === null) return false;
  const {
    id,
    user,
    folder,
    name,
    page,
    size,
    lastModified,
    failure,
  }: Partial<Record<keyof RememberedTransfer, unknown>> = value;
  return (
    [id, user, folder, name, page].every((text) => typeof text === 'string') &&
    [size, lastModified].every(Number.isFinite) &&
    (failure === undefined || isFailure(failure))
  );
}

function isFailure(value: unknown): value is NonNullable<Transfer['failure']> {
  if (typeof value !== 'object' || value === null) return false;
  const { message, isTaken }: Partial<Record<keyof NonNullable<Transfer['failure']>, unknown>> = value;
  return typeof message === 'string' && typeof isTaken === 'boolean';
}
