import { constants } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import type { BlobWriter } from '../blob-store.ts';
import type { FileHasher, FollowedFile } from '../hashing/file-hasher.ts';
import { storageError } from '../storage-error.ts';
import type { CommitObserver, CommitStep } from '../upload-step.ts';
import { readFully } from './read-fully.ts';
import { writeFully } from './write-fully.ts';

/** After this many bytes the disk starts to write back, so that the sync before the commit has little left to do. */
const writeBackBytes = 64 * 1024 * 1024;

/** How an unsealed blob is opened and sealed. */
export interface LocalBlobWriterOptions {
  incomingPath: string;
  storedPath: string;
  /** Whether the blob must not exist yet. */
  create: boolean;
  syncFolder(): Promise<void>;
  /** Absent if the blob is not to be followed. */
  hasher: Pick<FileHasher, 'follow'> | undefined;
  observe: CommitObserver;
}

/** Opens an unsealed blob. A symbolic link in its place is refused. */
export async function openLocalBlobWriter(options: LocalBlobWriterOptions): Promise<BlobWriter> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
  const { incomingPath, storedPath, create, syncFolder, hasher, observe } = options;
  const handle = await settled(open(incomingPath, O_RDWR | O_NOFOLLOW | (create ? O_CREAT | O_EXCL : 0), 0o600));
  const initialSize = create ? 0 : await sizeOf(handle);
  const writeBack = createWriteBack(handle);
  let followed: FollowedFile | undefined;
  const reach = async (step: CommitStep, sync: Promise<void>): Promise<void> => {
    await sync;
    await observe(step);
  };
  return {
    initialSize,
    write: async (chunks, offset) => writeBack.note(await settled(writeFully(handle, chunks, offset))),
    truncate: (size) => settled(handle.truncate(size)),
    read: (offset, length) => settled(readFully(handle, offset, length)),
    ...(hasher && { follow: () => (followed = hasher.follow(incomingPath, storedPath)) }),
    sync: () => settled(handle.sync()),
    seal: async () => {
      await writeBack.done();
      await settled(rename(incomingPath, storedPath));
      await observe('fileRenamed');
      // At the same time, so that a journalling file system writes both together. No entry refers to the blob before
      // both are done.
      await settled(Promise.all([reach('contentSynced', handle.sync()), reach('folderSynced', syncFolder())]));
      await observe('fileSynced');
      await handle.close();
    },
    close: async () => {
      followed?.forget();
      await writeBack.done();
      await handle.close();
    },
  };
}

async function sizeOf(handle: FileHandle): Promise<number> {
  try {
    return (await handle.stat()).size;
  } catch (error) {
    await handle.close();
    throw storageError(error);
  }
}

function createWriteBack(handle: FileHandle) {
  let dirtyBytes = 0;
  let running: Promise<void> | undefined;
  return {
    note: (bytes: number): void => {
      dirtyBytes += bytes;
      if (running || dirtyBytes < writeBackBytes) return;
      dirtyBytes = 0;
      // Only a head start: the sync before the commit is the one that matters, and reports errors.
      running = handle
        .datasync()
        .catch(() => {})
        .finally(() => (running = undefined));
    },
    done: async (): Promise<void> => running,
  };
}

async function settled<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storageError(error);
  }
}
