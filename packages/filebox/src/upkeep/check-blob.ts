import { createHash } from 'node:crypto';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { blobChunks } from '../blobs/blob-chunks.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Pace } from './create-pace.ts';
import type { Damage } from './damaged-file.ts';

/** The expected properties of a blob. */
export interface BlobToCheck {
  blobId: string;
  storageClass: string;
  size: number;
  sha256: Buffer;
}

/** Errors of a disk that has lost data. */
const unreadableCodes = new Set(['EIO', 'EBADMSG', 'EUCLEAN', 'ENXIO']);

/**
 * Compares a sealed blob with its expected properties, and returns what is wrong. `read` is called with the number of
 * bytes read, and limits the rate.
 */
export async function checkBlob(
  { blobId, size, sha256 }: BlobToCheck,
  store: BlobStore,
  read: Pace,
): Promise<Damage | undefined> {
  try {
    const found = await store.sealedSize(blobId);
    if (found === undefined) return 'missing';
    if (found !== size) return 'size';
    const hash = createHash('sha256');
    for await (const chunk of blobChunks(await store.open(blobId, size), size)) {
      hash.update(chunk);
      await read(chunk.byteLength);
    }
    return hash.digest().equals(sha256) ? undefined : 'content';
  } catch (error) {
    if (isCodedError(error, 'content_missing')) return 'missing';
    if (isUnreadable(error)) return 'unreadable';
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unreadableCodes.has(String(error.code));
}
