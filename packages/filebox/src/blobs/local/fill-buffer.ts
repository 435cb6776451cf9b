import type { FileHandle } from 'node:fs/promises';

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
