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

/** Keeps the handles of a transfer beyond the life of the page. Without storage, only a reload forgets them. */
export async function keepHandle(id: string, { handle, root }: FileHandles): Promise<void> {
  if (handle === undefined) return;
  const kept = new Map<string, FileSystemHandle>([[id, handle]]);
  if (root !== undefined) kept.set(rootKey(id), root);
  for (const [key, value] of kept) await inStore('readwrite', (store) => store.put(value, key)).catch(() => undefined);
}

/** The handles of a transfer, which an earlier page kept. */
export async function recallHandles(id: string): Promise<FileHandles | undefined> {
  const recall = (key: string): Promise<unknown> =>
    inStore('readonly', (store) => store.get(key)).catch(() => undefined);
  if (typeof FileSystemHandle === 'undefined') return undefined;
  const [handle, root] = [await recall(id), await recall(rootKey(id))];
  if (!(handle instanceof FileSystemFileHandle)) return undefined;
  return { handle, root: root instanceof FileSystemHandle ? root : undefined };
}

/** Forgets the handles of a transfer that has ended. */
export async function forgetHandle(id: string): Promise<void> {
  for (const key of [id, rootKey(id)]) await inStore('readwrite', (store) => store.delete(key)).catch(() => undefined);
}

function rootKey(id: string): string {
  return `${id}/root`;
}

const storeName = 'handles';
let opened: Promise<IDBDatabase> | undefined;

async function inStore(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const db = await (opened ??= openDatabase());
  return resultOf(act(db.transaction(storeName, mode).objectStore(storeName)));
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('waybill-uploads', 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName));
  return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The storage of the browser failed')));
  });
}
