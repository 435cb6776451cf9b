import { constants } from 'node:fs';
import { copyFile, lstat, open, opendir, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { localStorageClass } from '@waybill/contracts/configuration/storage-class';
import type { StorageSpace } from '../../model/storage.ts';
import type { BlobStore, HeldBlob } from '../blob-store.ts';
import { createFileHasher } from '../hashing/file-hasher.ts';
import { storageError } from '../storage-error.ts';
import type { CommitObserver } from '../upload-step.ts';
import {
  findLocalBlobLayout,
  isBlobId,
  prepareLocalBlobLayout,
  shardOf,
  shards,
  type LocalBlobLayout,
} from './local-blob-layout.ts';
import { openLocalBlobReader } from './local-blob-reader.ts';
import { openLocalBlobWriter } from './local-blob-writer.ts';

/** Where the blobs are. */
export interface LocalBlobStoreOptions {
  dir: string;
  /** Name of the class; default: `local`. */
  storageClass?: string;
  /** Creates nothing: `service_unavailable` if the folders are missing. */
  mustExist?: boolean;
  /** See `FileboxOptions`. */
  hashesAside?: boolean | undefined;
  observe?: CommitObserver;
}

/** Blobs as files of a local or shared disk, in folders that only this platform writes to. */
export async function openLocalBlobStore(options: LocalBlobStoreOptions): Promise<BlobStore> {
  const { dir, storageClass = localStorageClass, mustExist = false, hashesAside = true, observe = () => {} } = options;
  const layout = mustExist ? await findLocalBlobLayout(dir) : await prepareLocalBlobLayout(dir);
  const hasher = createFileHasher();
  const folders = createFolderSync(layout);
  const writer = (blobId: string, create: boolean) =>
    openLocalBlobWriter({
      incomingPath: layout.incomingPath(blobId),
      storedPath: layout.storedPath(blobId),
      create,
      syncFolder: () => folders.sync(shardOf(blobId)),
      hasher: hashesAside ? hasher : undefined,
      observe,
    });
  return {
    storageClass,
    readersOutliveRemoval: true,
    create: (blobId) => writer(blobId, true),
    resume: (blobId) => writer(blobId, false),
    copy: async (fromBlobId, blobId) => {
      const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
      try {
        await copyFile(layout.storedPath(fromBlobId), layout.incomingPath(blobId), COPYFILE_EXCL | COPYFILE_FICLONE);
      } catch (error) {
        throw storageError(error);
      }
      return writer(blobId, false);
    },
    open: (blobId, size) => openLocalBlobReader(layout.storedPath(blobId), size),
    digest: (blobId) => hasher.digest(layout.storedPath(blobId)),
    sealedSize: (blobId) => sizeOf(layout.storedPath(blobId)),
    unsealedSize: (blobId) => sizeOf(layout.incomingPath(blobId)),
    durableSize: async (blobId) => {
      const unsealed = await syncedSize(layout.incomingPath(blobId));
      if (unsealed !== undefined) return unsealed;
      const sealed = await syncedSize(layout.storedPath(blobId));
      if (sealed !== undefined) await folders.sync(shardOf(blobId));
      return sealed;
    },
    remove: async (blobId) => {
      if (!(await removeFile(layout.storedPath(blobId)))) await removeFile(layout.incomingPath(blobId));
    },
    space: () => spaceOf(dir),
    list: () => listBlobs(layout),
    [Symbol.asyncDispose]: async () => {
      await hasher[Symbol.asyncDispose]();
      await folders.close();
    },
  };
}

/**
 * Returns whether there was a file. A missing file, or a folder, which the store does not create there, is ignored:
 * neither stops the removal of the next file.
 */
async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    return false;
  }
}

function createFolderSync(layout: LocalBlobLayout) {
  const handles = new Map<string, Promise<FileHandle>>();
  const opened = (shard: string): Promise<FileHandle> => {
    const known = handles.get(shard);
    if (known) return known;
    const handle = open(layout.shardDir(shard), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    handles.set(shard, handle);
    handle.catch(() => handles.delete(shard));
    return handle;
  };
  return {
    sync: async (shard: string): Promise<void> => (await opened(shard)).sync(),
    close: async (): Promise<void> => {
      for (const handle of handles.values()) await (await handle).close();
      handles.clear();
    },
  };
}

async function spaceOf(dir: string): Promise<StorageSpace> {
  const { bsize, blocks, bavail } = await statfs(dir);
  return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
}

async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => {});
  return stats?.isFile() ? stats.size : undefined;
}

/** A sync through any handle syncs the whole file, whichever process has written it. */
async function syncedSize(path: string): Promise<number | undefined> {
  if ((await sizeOf(path)) === undefined) return undefined;
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = await handle.stat();
    await handle.sync();
    return size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw storageError(error);
  }
}

async function* listBlobs(layout: LocalBlobLayout): AsyncGenerator<HeldBlob> {
  yield* listFolder(layout.incomingDir, isBlobId);
  for (const shard of shards) {
    yield* listFolder(layout.shardDir(shard), (name) => isBlobId(name) && shardOf(name) === shard);
  }
}

async function* listFolder(folder: string, isOurs: (name: string) => boolean): AsyncGenerator<HeldBlob> {
  for await (const item of await opendir(folder)) {
    if (!item.isFile() || !isOurs(item.name)) continue;
    const stats = await lstat(join(folder, item.name)).catch(() => {});
    if (stats?.isFile()) yield { blobId: item.name, modifiedAt: stats.mtime };
  }
}
