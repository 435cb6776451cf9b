import type { FileToUpload } from './transfer-queue.ts';

/** What a drop holds, read in full: nothing is uploaded before every folder has been read. */
export interface DroppedFiles {
  readonly files: readonly FileToUpload[];
  /** Folders without a file in them, which must be created to exist. */
  readonly emptyFolders: readonly string[];
}

/** Entries can only be taken while the event is handled: call this first. */
export function entriesOf(items: DataTransferItemList): FileSystemEntry[] {
  return [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
}

/** Reads dropped files and folders completely. `found` is called with the number of files so far. */
export async function readDroppedEntries(
  entries: readonly FileSystemEntry[],
  folder: string,
  found: (count: number) => void,
): Promise<DroppedFiles> {
  const files: FileToUpload[] = [];
  const emptyFolders: string[] = [];
  const pending = entries.map((entry) => ({ entry, folder }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, folder: target } = next;
    if (entry.isFile) {
      files.push({ folder: target, file: await fileOf(entry as FileSystemFileEntry) });
      found(files.length);
      continue;
    }
    const path = `${target.replace(/\/$/u, '')}/${entry.name}`;
    const children = await childrenOf(entry as FileSystemDirectoryEntry);
    if (children.length === 0) emptyFolders.push(path);
    for (const child of children) pending.push({ entry: child, folder: path });
  }
  return { files, emptyFolders };
}

/** The files of an `<input webkitdirectory>` or a plain one, with the folders of their relative paths. */
export function filesOfInput(list: FileList | null, folder: string): FileToUpload[] {
  return [...(list ?? [])].map((file) => {
    const parents = file.webkitRelativePath.split('/').slice(0, -1);
    return { folder: [folder.replace(/\/$/u, ''), ...parents].join('/') || '/', file };
  });
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
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
