/** One file that is being uploaded, or was, or should be. */
export interface Transfer {
  readonly id: string;
  /** The virtual folder that it goes to. */
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  /** The time of the last change of the file here, in milliseconds since 1970; with name and size it tells files apart. */
  readonly lastModified: number;
  readonly state: 'waiting' | 'running' | 'paused' | 'stored' | 'failed' | 'interrupted';
  readonly sentBytes: number;
  /** Bytes a second over the last seconds. */
  readonly bytesPerSecond: number;
  /** Why it failed; a name that is taken can be replaced. */
  readonly failure?: { readonly message: string; readonly isTaken: boolean };
  /** Whether a file of that name is replaced. */
  readonly overwrites: boolean;
}

/** What is remembered of a transfer beyond the life of the page. */
export type RememberedTransfer = Pick<Transfer, 'id' | 'folder' | 'name' | 'size' | 'lastModified' | 'overwrites'>;

const storageKey = 'waybill-uploads';

/** The unfinished transfers of an earlier page of this browser. */
export function recallTransfers(): RememberedTransfer[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

/** Remembers the unfinished transfers; without room in the browser's storage, it does not. */
export function rememberTransfers(transfers: readonly Transfer[]): void {
  const unfinished = transfers.filter(({ state }) => state !== 'stored').slice(0, 2_000);
  const remembered = unfinished.map(({ id, folder, name, size, lastModified, overwrites }): RememberedTransfer => ({
    id,
    folder,
    name,
    size,
    lastModified,
    overwrites,
  }));
  try {
    localStorage.setItem(storageKey, JSON.stringify(remembered));
  } catch {
    // The uploads go on; only a reload forgets them.
  }
}

function isRemembered(value: unknown): value is RememberedTransfer {
  if (typeof value !== 'object' || value === null) return false;
  const { id, folder, name, size, lastModified } = value as Partial<Record<keyof RememberedTransfer, unknown>>;
  return [id, folder, name].every((text) => typeof text === 'string') && [size, lastModified].every(Number.isFinite);
}
