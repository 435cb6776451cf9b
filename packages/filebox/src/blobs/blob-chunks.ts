import type { BlobReader } from './blob-store.ts';

const chunkBytes = 1024 * 1024;

/** All bytes of a blob, for callers that store or hash them; closes the reader at the end. */
export async function* blobChunks(reader: Pick<BlobReader, 'read' | 'close'>, size: number): AsyncGenerator<Buffer> {
  try {
    for (let offset = 0; offset < size;) {
      const chunk = await reader.read(offset, Math.min(chunkBytes, size - offset));
      if (chunk.byteLength === 0) throw new Error(`a blob ended after ${offset} of ${size} bytes`);
      yield chunk;
      offset += chunk.byteLength;
    }
  } finally {
    await reader.close();
  }
}
