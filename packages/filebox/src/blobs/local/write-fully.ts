import type { FileHandle } from 'node:fs/promises';

/** Writes adjacent chunks at an offset of a file completely, and returns the number of bytes. */
export async function writeFully(handle: FileHandle, chunks: readonly Uint8Array[], offset: number): Promise<number> {
  const total = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const [only] = chunks;
  let { bytesWritten: written } =
    chunks.length === 1 && only
      ? await handle.write(only, 0, only.byteLength, offset)
      : await handle.writev(chunks, offset);
  // A disk that fills up first writes a part and fails on the rest.
  while (written < total) written += await writeRest(handle, chunks, offset, written);
  return total;
}

async function writeRest(handle: FileHandle, chunks: readonly Uint8Array[], offset: number, written: number) {
  let before = 0;
  for (const chunk of chunks) {
    const skip = written - before;
    if (skip < chunk.byteLength)
      return (await handle.write(chunk, skip, chunk.byteLength - skip, offset + written)).bytesWritten;
    before += chunk.byteLength;
  }
  return 0;
}
