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
  }
}

/** A file of the user's disk, and in browsers that have it what leads to it again after a reload. */
export interface LocalFile {
  readonly file: File;
  readonly handle?: FileSystemFileHandle | undefined;
}

/** Whether the user can choose files that can be found again after a reload. */
export function canChooseHandles(): boolean {
  return window.showOpenFilePicker !== undefined;
}

/** Lets the user choose files; none if the user cancels. */
export async function chooseHandles(): Promise<LocalFile[]> {
  try {
    const handles = (await window.showOpenFilePicker?.({ multiple: true })) ?? [];
    return await Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    throw error;
  }
}

/**
 * The file of a handle. `asks`: whether the user may be asked for the permission, which only an action of the user allows.
 * Undefined without the permission, and if the file is gone.
 */
export async function openHandle(handle: FileSystemFileHandle, asks: boolean): Promise<File | undefined> {
  try {
    const permission = { mode: 'read' } as const;
    const state = asks ? await handle.requestPermission?.(permission) : await handle.queryPermission?.(permission);
    return state === 'granted' ? await handle.getFile() : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the handle of a transfer beyond the life of the page. Without storage, only a reload forgets it. */
export async function keepHandle(id: string, handle: FileSystemFileHandle): Promise<void> {
  await inStore('readwrite', (store) => store.put(handle, id)).catch(() => undefined);
}

/** The handle of a transfer, which an earlier page kept. */
export async function recallHandle(id: string): Promise<FileSystemFileHandle | undefined> {
  const kept: unknown = await inStore('readonly', (store) => store.get(id)).catch(() => undefined);
  return typeof FileSystemFileHandle !== 'undefined' && kept instanceof FileSystemFileHandle ? kept : undefined;
}

/** Forgets the handle of a transfer that has ended. */
export async function forgetHandle(id: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(id)).catch(() => undefined);
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
