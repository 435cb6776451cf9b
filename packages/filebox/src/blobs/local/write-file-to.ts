import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { fillBuffer } from './read-fully.ts';

const chunkBytes = 512 * 1024;

/**
 * Writes bytes of a file, from `start` to `end`, exclusive, and leaves the destination open. While one chunk is being
 * sent the next one is read, into the memory of the previous one: a large file takes no more than a mebibyte, and
 * leaves no garbage. `note` is called with bytes as they are given to the destination.
 * @throws CodedError `content_missing` if the file is shorter; errors of the destination
 */
export async function writeFileTo(
  handle: FileHandle,
  destination: Writable,
  { start, end, note }: { start: number; end: number; note?: ((bytes: number) => void) | undefined },
): Promise<void> {
  const lanes = Array.from({ length: Math.min(2, Math.ceil((end - start) / chunkBytes)) }, () => ({
    buffer: Buffer.allocUnsafeSlow(Math.min(chunkBytes, end - start)),
    written: Promise.resolve(),
  }));
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  const onClose = (): void => closed.reject(new Error('the destination was closed'));
  destination.once('close', onClose);
  try {
    for (let offset = start; offset < end;) {
      const lane = lanes[((offset - start) / chunkBytes) % lanes.length];
      if (!lane) break;
      await Promise.race([lane.written, closed.promise]);
      const chunk = lane.buffer.subarray(0, Math.min(chunkBytes, end - offset));
      if ((await fillBuffer(handle, chunk, offset)) < chunk.byteLength) {
        throw new CodedError('content_missing', { cause: new Error('the file was truncated') });
      }
      lane.written = write(destination, chunk);
      // A failure is reported when the lane is used next, or at the end.
      lane.written.catch(() => {});
      offset += chunk.byteLength;
      note?.(chunk.byteLength);
    }
    await Promise.race([Promise.all(lanes.map(({ written }) => written)), closed.promise]);
  } finally {
    destination.off('close', onClose);
  }
}

function write(destination: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
