import type { LocalFile } from './file-handles.ts';
import type { FileToUpload } from './transfer-queue.ts';

/** What a drop holds, read in full: nothing is uploaded before every folder has been read. */
export interface DroppedFiles {
  readonly files: readonly FileToUpload[];
  /** Folders without a file in them, which must be created to exist. */
  readonly emptyFolders: readonly string[];
}

/** A dropped file or folder, however the browser reports it. */
interface DroppedEntry {
  readonly name: string;
  /** The file; undefined for a folder. */
  readonly open: (() => Promise<LocalFile>) | undefined;
  children(): Promise<DroppedEntry[]>;
}

/** How often the number of files is shown while they are read. */
const reportEveryMs = 200;

/**
 * The files and folders of a drop. They can only be taken while the event is handled: call this first. Where the browser has
 * handles, which outlive the page, they are preferred.
 */
export function entriesOf(items: DataTransferItemList): Promise<DroppedEntry | undefined>[] {
  return [...items]
    .filter(({ kind }) => kind === 'file')
    .map(async (item) => {
      const entry = item.webkitGetAsEntry();
      const handle = await item.getAsFileSystemHandle?.().catch(() => null);
      if (handle !== undefined && handle !== null) return entryOfHandle(handle);
      return entry === null ? undefined : entryOfEntry(entry);
    });
}

/** Reads dropped files and folders completely. `found` is called now and then with the number of files so far. */
export async function readDroppedEntries(
  entries: readonly Promise<DroppedEntry | undefined>[],
  folder: string,
  found: (count: number) => void,
): Promise<DroppedFiles> {
  const files: FileToUpload[] = [];
  let reportedAtMs = 0;
  const emptyFolders: string[] = [];
  const pending = (await Promise.all(entries)).flatMap((entry) => (entry === undefined ? [] : [{ entry, folder }]));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, folder: target } = next;
    if (entry.open !== undefined) {
      files.push({ folder: target, ...(await entry.open()) });
      if (performance.now() - reportedAtMs >= reportEveryMs) {
        reportedAtMs = performance.now();
        found(files.length);
      }
      continue;
    }
    const path = `${target.replace(/\/$/u, '')}/${entry.name}`;
    const children = await entry.children();
    if (children.length === 0) emptyFolders.push(path);
    for (const child of children) pending.push({ entry: child, folder: path });
  }
  return { files, emptyFolders };
}

/** Reads a folder that was chosen completely, as if it had been dropped. */
export function readChosenFolder(
  handle: FileSystemDirectoryHandle,
  folder: string,
  found: (count: number) => void,
): Promise<DroppedFiles> {
  return readDroppedEntries([Promise.resolve(entryOfHandle(handle))], folder, found);
}

/** The files of an `<input webkitdirectory>` or a plain one, with the folders of their relative paths. */
export function filesOfInput(list: FileList | null, folder: string): FileToUpload[] {
  return [...(list ?? [])].map((file) => {
    const parents = file.webkitRelativePath.split('/').slice(0, -1);
    return { folder: [folder.replace(/\/$/u, ''), ...parents].join('/') || '/', file };
  });
}

/** As Chromium reports it; `root` is the folder that was dropped or chosen. */
function entryOfHandle(handle: FileSystemHandle, root?: FileSystemHandle): DroppedEntry {
  const { name } = handle;
  if (handle instanceof FileSystemFileHandle)
    return {
      name,
      open: async () => ({ file: await handle.getFile(), handle, root }),
      children: () => Promise.resolve([]),
    };
  const children = async (): Promise<DroppedEntry[]> => {
    if (!(handle instanceof FileSystemDirectoryHandle)) return [];
    const below: DroppedEntry[] = [];
    for await (const child of handle.values()) below.push(entryOfHandle(child, root ?? handle));
    return below;
  };
  return { name, open: undefined, children };
}

/** As all browsers report it. */
function entryOfEntry(entry: FileSystemEntry): DroppedEntry {
  const { name } = entry;
  if (isFileEntry(entry)) {
    const open = async (): Promise<LocalFile> => ({
      file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)),
    });
    return { name, open, children: () => Promise.resolve([]) };
  }
  const children = async (): Promise<DroppedEntry[]> =>
    isDirectoryEntry(entry) ? (await childrenOf(entry)).map(entryOfEntry) : [];
  return { name, open: undefined, children };
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectoryEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** A browser returns a hundred entries at a time, and an empty list after the last ones. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children;
    children.push(...some);
  }
}
