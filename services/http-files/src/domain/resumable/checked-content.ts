import { createHash } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UploadsById } from '@waybill/filebox/upload/uploads-by-id';
import type { ContentChecksum } from './upload-part.ts';

/**
 * Hands content on only once all of it has arrived and has its checksum; until then it waits outside of the upload.
 * @throws CodedError `checksum_mismatch`, `storage_full`, and what the content fails with
 */
export async function* checkedContent(
  content: AsyncIterable<Uint8Array>,
  { algorithm, digest }: ContentChecksum,
  openSpool: UploadsById['openSpool'],
): AsyncGenerator<Uint8Array> {
  const spool = await openSpool();
  try {
    const hash = createHash(algorithm);
    let size = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      await spool.write([chunk], size);
      size += chunk.length;
    }
    if (!hash.digest().equals(digest)) throw new CodedError('checksum_mismatch');
    yield* spool.chunks();
  } finally {
    await spool.close();
  }
}
