import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storageError } from '../storage-error.ts';
import { readFully } from './read-fully.ts';
import { writeFully } from './write-fully.ts';

const chunkBytes = 1024 * 1024;

/** An unnamed file, for bytes in any order. It is deleted when it is closed, or when the process ends. */
export interface SpoolFile {
  /** @throws CodedError `storage_full` */
  write(chunks: readonly Uint8Array[], offset: number): Promise<void>;
  /** @throws CodedError `storage_full` */
  truncate(size: number): Promise<void>;
  /** At most `length` bytes from an offset; fewer only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /** The whole content, from the start. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Opens an empty one in a folder, which is created if it is missing. */
export async function openSpoolFile(dir: string): Promise<SpoolFile> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, randomUUID());
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
  const handle = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await rm(path);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw storageError(error);
    }
  };
  return {
    write: async (chunks, offset) => {
      await settled(writeFully(handle, chunks, offset));
    },
    truncate: (size) => settled(handle.truncate(size)),
    read: (offset, length) => readFully(handle, offset, length),
    async *chunks() {
      for (let offset = 0; ;) {
        const chunk = await readFully(handle, offset, chunkBytes);
        if (chunk.byteLength === 0) return;
        yield chunk;
        offset += chunk.byteLength;
      }
    },
    close: () => handle.close(),
  };
}

/** The folder for unnamed files, beside the blobs of the class `local`. */
export function spoolDirIn(blobDir: string): string {
  return join(blobDir, 'spool');
}
