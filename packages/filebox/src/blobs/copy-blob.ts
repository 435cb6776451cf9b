import { blobChunks } from './blob-chunks.ts';
import type { BlobStore, BlobWriter } from './blob-store.ts';

/**
 * Creates a blob with the bytes of a sealed one, possibly in another store. @throws CodedError `content_missing`,
 * `storage_full`
 */
export async function copyBlob(
  from: { store: BlobStore; blobId: string; size: number },
  to: { store: BlobStore; blobId: string },
): Promise<BlobWriter> {
  if (from.store === to.store) return to.store.copy(from.blobId, to.blobId);
  const reader = await from.store.open(from.blobId, from.size);
  const writer = await to.store.create(to.blobId);
  let offset = 0;
  for await (const chunk of blobChunks(reader, from.size)) {
    await writer.write([chunk], offset);
    offset += chunk.byteLength;
  }
  if (offset === 0) return writer;
  // After it is opened again, the writer counts these bytes as its initial size.
  await writer.sync();
  await writer.close();
  return to.store.resume(to.blobId);
}
