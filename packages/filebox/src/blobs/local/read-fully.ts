import type { FileHandle } from 'node:fs/promises';
import { fillBuffer } from './fill-buffer.ts';

/**
 * `length` bytes of a file from an offset; fewer only at its end. In newly allocated memory, so that the caller can
 * keep them.
 */
export async function readFully(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  const filled = await fillBuffer(handle, buffer, offset);
  return filled === length ? buffer : buffer.subarray(0, filled);
}
