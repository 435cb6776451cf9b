import { userOfPage } from '../api/login-session.ts';
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

/** More would not fit into the storage of a browser. */
const mostRemembered = 2_000;

/** Records of other pages that are written within this time are read together. */
const gatherMs = 300;

/** An identifier that no other page has. (`randomUUID` exists on pages of HTTPS only.) */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const ownPage = createId();

/** The unfinished transfers of this page that are remembered, and those for which there is no room yet. */
const written = new Set<string>();
const unwritten = new Map<string, Transfer>();

/** Remembers a transfer of the page's user as long as it is unfinished; without room in the browser's storage, it does not. */
export function rememberTransfer(id: string, transfer: Transfer | undefined): void {
  if (transfer !== undefined && transfer.state !== 'stored') {
    if (written.has(id) || written.size < mostRemembered) write(transfer);
    else unwritten.set(id, transfer);
    return;
  }
  unwritten.delete(id);
  if (!written.delete(id)) return;
  forgetTransfers([id]);
  const [next] = unwritten.values();
  if (next === undefined) return;
  unwritten.delete(next.id);
  write(next);
}

function write(transfer: Transfer): void {
  written.add(transfer.id);
  const record = JSON.stringify(recordOf(userOfPage.get() ?? '', transfer));
  inStorage(() => localStorage.setItem(`${keyPrefix}${transfer.id}`, record));
}

/** Forgets transfers of pages that are gone. */
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
export function adoptTransfers(user: string, adopted: (transfers: readonly RememberedTransfer[]) => void): void {
  const take = (page: string): void => {
    const orphans = readRecords().filter((record) => record.page === page && record.user === user);
    if (orphans.length > 0) adopted(orphans);
  };
  // Browsers offer locks to pages of HTTPS only.
  if (!isSecureContext) {
    for (const page of new Set(readRecords().map((record) => record.page))) take(page);
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
