import type { LocalFile } from './file-handles.ts';
import type { FileToUpload } from './transfer-queue.ts';
import { createPauses } from './yield-to-browser.ts';

/** What a drop holds, read in full: nothing is uploaded before every folder has been read. */
export interface DroppedFiles {
  readonly files: readonly FileToUpload[];
  /** Folders without a file in them, which must be created to exist. */
  readonly emptyFolders: readonly string[];
}

/** What has been read of a drop so far. */
export interface ReadCounts {
  readonly files: number;
  /** Those that have been read, of those that were found. */
  readonly folders: number;
  readonly foundFolders: number;
}

/** How a drop is read. */
export interface ReadOptions {
  /** The reading ends with it, and fails. */
  readonly signal: AbortSignal;
  /** Called now and then, in folders of any size, too. */
  readonly found: (counts: ReadCounts) => void;
}

/** A dropped file or folder, however the browser reports it. */
interface DroppedEntry {
  readonly name: string;
  /** The file; undefined for a folder. */
  readonly open: (() => Promise<LocalFile>) | undefined;
  /** What is in a folder. */
  children(): AsyncIterable<DroppedEntry>;
}

/** How often the numbers are shown while files and folders are read. */
const reportEveryMs = 200;

/** Files that are opened at the same time: the browser asks another process for each. */
const openedAtOnce = 50;

/** Folders of one level that are read at the same time. */
const readAtOnce = 8;

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

/** Reads dropped files and folders completely. The page can be used meanwhile. */
export async function readDroppedEntries(
  entries: readonly Promise<DroppedEntry | undefined>[],
  folder: string,
  options: ReadOptions,
): Promise<DroppedFiles> {
  const dropped = (await Promise.all(entries)).filter((entry) => entry !== undefined);
  const files: FileToUpload[] = [];
  const emptyFolders: string[] = [];
  const pass = createPass(options);
  const counts = { files: 0, folders: 0, foundFolders: 0 };
  let below: FolderToRead[] = [];
  const read = async ({ path, children }: FolderToRead): Promise<void> => {
    let isEmpty = true;
    let toOpen: (() => Promise<LocalFile>)[] = [];
    const openAll = async (): Promise<void> => {
      for (const file of await Promise.all(toOpen.map((open) => open()))) files.push({ folder: path, ...file });
      toOpen = [];
    };
    for await (const { name, open, children: inside } of children()) {
      isEmpty = false;
      if (open === undefined) below.push({ path: `${path.replace(/\/$/u, '')}/${name}`, children: inside });
      else toOpen.push(open);
      counts[open === undefined ? 'foundFolders' : 'files'] += 1;
      if (toOpen.length === openedAtOnce) await openAll();
      await pass(counts);
    }
    await openAll();
    if (isEmpty) emptyFolders.push(path);
  };
  await read({ path: folder, children: () => dropped });
  while (below.length > 0) {
    const level = below.values();
    below = [];
    const readSome = async (): Promise<void> => {
      for (const next of level) {
        await read(next);
        counts.folders += 1;
        await pass(counts);
      }
    };
    await Promise.all(Array.from({ length: readAtOnce }, readSome));
  }
  return { files, emptyFolders: dropped.length === 0 ? [] : emptyFolders };
}

interface FolderToRead {
  readonly path: string;
  readonly children: () => Children;
}

type Children = Iterable<DroppedEntry> | AsyncIterable<DroppedEntry>;

/** What is done after each entry: it tells how far the reading is, lets the page do other things, and ends what is not wanted any more. */
function createPass({ signal, found }: ReadOptions): (counts: ReadCounts) => Promise<void> | undefined {
  const pauseIfBusy = createPauses();
  let reportedAtMs = 0;
  return (counts) => {
    signal.throwIfAborted();
    if (performance.now() - reportedAtMs >= reportEveryMs) {
      reportedAtMs = performance.now();
      found(counts);
    }
    return pauseIfBusy();
  };
}

/** Reads a folder that was chosen completely, as if it had been dropped. */
export function readChosenFolder(
  handle: FileSystemDirectoryHandle,
  folder: string,
  options: ReadOptions,
): Promise<DroppedFiles> {
  return readDroppedEntries([Promise.resolve(entryOfHandle(handle))], folder, options);
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
    return { name, open: async () => ({ file: await handle.getFile(), handle, root }), children };
  return { name, open: undefined, children };

  async function* children(): AsyncIterable<DroppedEntry> {
    if (!(handle instanceof FileSystemDirectoryHandle)) return;
    for await (const child of handle.values()) yield entryOfHandle(child, root ?? handle);
  }
}

/** As all browsers report it. */
function entryOfEntry(entry: FileSystemEntry): DroppedEntry {
  const { name } = entry;
  if (isFileEntry(entry)) {
    const open = async (): Promise<LocalFile> => ({
      file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)),
    });
    return { name, open, children };
  }
  return { name, open: undefined, children };

  async function* children(): AsyncIterable<DroppedEntry> {
    if (!isDirectoryEntry(entry)) return;
    const reader = entry.createReader();
    // A browser returns a hundred entries at a time, and an empty list after the last ones.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      yield* some.map(entryOfEntry);
    }
  }
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectoryEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
