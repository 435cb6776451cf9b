import { createBrowserDatabase } from './browser-database.ts';

declare global {
  // The parts of the File System Access API that not every browser has.
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
  interface FileSystemHandle {
    queryPermission?(descriptor: { mode: 'read' }): Promise<PermissionState>;
    requestPermission?(descriptor: { mode: 'read' }): Promise<PermissionState>;
  }
  interface Window {
    showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemFileHandle[]>;
    showDirectoryPicker?(options: { mode: 'read' }): Promise<FileSystemDirectoryHandle>;
  }
}

/** What leads to a file of the user's disk again after a reload, in browsers that have it. */
interface FileHandles {
  readonly handle?: FileSystemFileHandle | undefined;
  /** The folder that the user chose or dropped, with the file in it: the permission to read it is that to read the file. */
  readonly root?: FileSystemHandle | undefined;
}

/** A file of the user's disk. */
export interface LocalFile extends FileHandles {
  readonly file: File;
}

/** Whether the user can choose files that can be found again after a reload. */
export function canChooseHandles(): boolean {
  return window.showOpenFilePicker !== undefined;
}

/** Lets the user choose files; none if the user cancels. */
export async function chooseHandles(): Promise<LocalFile[]> {
  const handles = (await unlessCancelled(() => window.showOpenFilePicker?.({ multiple: true }))) ?? [];
  return Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })));
}

/** Whether the user can choose a folder whose files can be found again after a reload. */
export function canChooseFolder(): boolean {
  return window.showDirectoryPicker !== undefined;
}

/** Lets the user choose a folder; undefined if the user cancels. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  return unlessCancelled(() => window.showDirectoryPicker?.({ mode: 'read' }));
}

async function unlessCancelled<T>(choose: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await choose();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/**
 * The file of a handle. `asks`: whether the user may be asked for the permission, which only an action of the user allows.
 * Undefined if it is refused, and if the file is gone; `unanswered` as long as it is neither given nor refused.
 */
export async function openHandle(
  { handle, root }: FileHandles,
  asks: boolean,
): Promise<File | 'unanswered' | undefined> {
  try {
    const permission = { mode: 'read' } as const;
    const asked = root ?? handle;
    const state = asks ? await asked?.requestPermission?.(permission) : await asked?.queryPermission?.(permission);
    if (state === 'prompt') return 'unanswered';
    return state === 'granted' ? await handle?.getFile() : undefined;
  } catch (error) {
    // The action of the user was too long ago.
    return error instanceof DOMException && error.name === 'SecurityError' ? 'unanswered' : undefined;
  }
}

const database = createBrowserDatabase('waybill-uploads', 'handles');

/** Keeps the handles of transfers, by their ids, beyond the life of the page. Without storage, only a reload forgets them. */
export async function keepHandles(handles: ReadonlyMap<string, FileHandles>): Promise<void> {
  const kept = [...handles].flatMap(([id, { handle, root }]) => [
    ...(handle ? [[id, handle] as const] : []),
    ...(handle && root ? [[rootKey(id), root] as const] : []),
  ]);
  if (kept.length === 0) return;
  await inTurn((store) => kept.map(([key, value]) => store.put(value, key)).at(-1));
}

/** The handles of transfers, in their order, which an earlier page kept. */
export async function recallHandles(ids: readonly string[]): Promise<(FileHandles | undefined)[]> {
  if (typeof FileSystemHandle === 'undefined') return ids.map(() => undefined);
  const values = await database.read(ids.flatMap((id) => [id, rootKey(id)])).catch(() => []);
  return ids.map((_, index) => {
    const [handle, root] = [values[2 * index], values[2 * index + 1]];
    if (!(handle instanceof FileSystemFileHandle)) return undefined;
    return { handle, root: root instanceof FileSystemHandle ? root : undefined };
  });
}

/** Forgets the handles of transfers that have ended. */
export async function forgetHandles(ids: readonly string[]): Promise<void> {
  for (let first = 0; first < ids.length; first += forgottenAtOnce) {
    const keys = ids.slice(first, first + forgottenAtOnce).flatMap((id) => [id, rootKey(id)]);
    await inTurn((store) => keys.map((key) => store.delete(key)).at(-1));
  }
}

const forgottenAtOnce = 200;

let lastTurn = Promise.resolve();

/** Changes follow each other: of very many, a browser would write nothing else for minutes, such as which uploads there are. */
function inTurn(change: (store: IDBObjectStore) => IDBRequest | undefined): Promise<void> {
  lastTurn = lastTurn.then(async () => void (await database.run('readwrite', change).catch(() => undefined)));
  return lastTurn;
}

function rootKey(id: string): string {
  return `${id}/root`;
}
