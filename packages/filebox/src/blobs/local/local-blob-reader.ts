import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { BlobReader } from '../blob-store.ts';
import { storageError } from '../storage-error.ts';
import { gatherReads } from './gather-reads.ts';
import { readFully } from './read-fully.ts';
import { writeFileTo } from './write-file-to.ts';

const streamChunkBytes = 512 * 1024;

/** Opens a sealed blob. Anything but a regular file of this size is refused, including a symbolic link. */
export async function openLocalBlobReader(storedPath: string, size: number): Promise<BlobReader> {
  const handle = await openRegularFile(storedPath, size);
  const reads = gatherReads(handle);
  return {
    read: (offset, length) => readFully(handle, offset, Math.max(0, Math.min(length, size - offset))),
    readInto: (target, offset) => reads.fill(target.subarray(0, Math.max(0, size - offset)), offset),
    stream: (start, end) =>
      start >= end
        ? Readable.from([])
        : Readable.from(chunksOf(handle, start, end), { objectMode: false, highWaterMark: streamChunkBytes }),
    writeTo: (destination, start, end, note) => writeFileTo(handle, destination, { start, end, note }),
    close: () => {
      reads.begin();
      return handle.close();
    },
  };
}

/** A stream of `FileHandle.createReadStream` would close the handle with itself, also with `autoClose: false`. */
async function* chunksOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let offset = start; offset < end;) {
    const chunk = await readFully(handle, offset, Math.min(streamChunkBytes, end - offset));
    if (chunk.byteLength === 0) throw new Error(`a blob ended after ${offset} of ${end} bytes`);
    yield chunk;
    offset += chunk.byteLength;
  }
}

async function openRegularFile(path: string, size: number): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    // O_NONBLOCK: a pipe in place of a blob must not block a thread.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (stats.isFile() && stats.size === size) return handle;
  } catch (error) {
    await handle?.close();
    throw storageError(error);
  }
  await handle.close();
  throw new CodedError('content_missing', { cause: new Error(`${path} is not a file of ${size} bytes`) });
}
