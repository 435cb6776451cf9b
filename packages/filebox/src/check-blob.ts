import { createHash } from 'node:crypto';
import { isCodedError } from '@waybill/contracts/coded-error';
import { blobChunks } from './blob-chunks.ts';
import type { BlobStore } from './blob-store.ts';
import type { Pace } from './create-pace.ts';
import type { Damage } from './damaged-file.ts';

/** What a blob must be. */
export interface BlobToCheck {
  blobId: string;
  storageClass: string;
  size: number;
  sha256: Buffer;
}

/** What a disk answers that has lost what it was given. */
const unreadableCodes = new Set(['EIO', 'EBADMSG', 'EUCLEAN', 'ENXIO']);

/** Compares a sealed blob with what it must be, and answers what is wrong and how much was read of it. */
export async function checkBlob(
  { blobId, size, sha256 }: BlobToCheck,
  store: BlobStore,
  pace: Pace,
): Promise<{ problem: Damage | undefined; bytes: number }> {
  let bytes = 0;
  try {
    const found = await store.sealedSize(blobId);
    if (found === undefined) return { problem: 'missing', bytes };
    if (found !== size) return { problem: 'size', bytes };
    const hash = createHash('sha256');
    for await (const chunk of blobChunks(await store.open(blobId, size), size)) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await pace(chunk.byteLength);
    }
    return { problem: hash.digest().equals(sha256) ? undefined : 'content', bytes };
  } catch (error) {
    if (isCodedError(error, 'content_missing')) return { problem: 'missing', bytes };
    if (isUnreadable(error)) return { problem: 'unreadable', bytes };
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unreadableCodes.has(String(error.code));
}
