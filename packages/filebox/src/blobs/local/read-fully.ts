import type { FileHandle } from 'node:fs/promises';

/**
 * `length` bytes of a file from an offset; fewer only at its end. In newly allocated memory, so that the caller can
 * keep them.
 */
export async function readFully(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  const filled = await fillBuffer(handle, buffer, offset);
  return filled === length ? buffer : buffer.subarray(0, filled);
}

/**
 * Fills a buffer with bytes of a file from an offset; returns their number, which is less than the buffer's size only
 * at the end of the file.
 */
export async function fillBuffer(handle: FileHandle, target: Buffer, offset: number): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
