import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { blobChunks } from '../blobs/blob-chunks.ts';
import type { BlobReader, BlobStore } from '../blobs/blob-store.ts';
import type { Download } from '../model/download.ts';
import type { FileEntry } from '../model/entry.ts';
import type { UploadContent } from './upload-content.ts';

/**
 * Makes the content of an upload that of a whole file: shared with the file if possible, otherwise copied byte by byte.
 * @throws CodedError as `Upload.copyFrom` does
 */
export async function copyContent(
  { entry, read }: Pick<Download, 'entry' | 'read'>,
  { store, content }: { store: BlobStore; content: UploadContent },
): Promise<void> {
  const { blobId, size, sha256, storageClass } = entry;
  const isEmpty = (): boolean => !content.isTouched && content.size === 0;
  if (isEmpty() && storageClass === store.storageClass) {
    const reader = await openIfThere(store, entry);
    if (reader && isEmpty()) {
      content.share({ blobId, size, sha256: Buffer.from(sha256, 'hex'), reader });
      return;
    }
    await reader?.close();
  }
  await content.truncate(0);
  let offset = 0;
  for await (const chunk of blobChunks({ read, close: async () => {} }, size)) {
    await content.write(chunk, offset);
    offset += chunk.byteLength;
  }
}

/** Undefined if the blob is gone. A download that has it open may not notice. */
async function openIfThere(store: BlobStore, { blobId, size }: FileEntry): Promise<BlobReader | undefined> {
  try {
    return await store.open(blobId, size);
  } catch (error) {
    if (isCodedError(error, 'content_missing')) return undefined;
    throw error;
  }
}
