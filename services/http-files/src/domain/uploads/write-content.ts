import { releaseMemory } from '@waybill/filebox/blobs/local/release-memory';
import type { Upload } from '@waybill/filebox/model/upload';

/** Bytes of one upload that may wait for the disk before we stop taking more from the client. */
const waitingBytesAtMost = 2 * 1024 * 1024;

/** The same for each of many uploads, once those of all together are more than this. */
const crowd = { waitingBytes: 32 * 1024 * 1024, waitingBytesOfEach: 512 * 1024 };

/** Of all uploads: memory belongs to the process. */
let waitingBytes = 0;

/**
 * Writes content to an upload, from its beginning or from an offset, a few chunks at a time, so that network and disk work together and
 * memory stays flat. Takes the chunks over: their memory is given back when they are written. Resolves when all is.
 */
export async function writeContent(
  upload: Pick<Upload, 'write'>,
  content: AsyncIterable<Uint8Array>,
  startOffset = 0,
): Promise<void> {
  const writes: { end: number; written: Promise<void> }[] = [];
  let offset = startOffset;
  let failed: Promise<void> | undefined;
  for await (const chunk of content) {
    if (failed) await failed;
    const end = offset + chunk.length;
    const written = writeOne(upload, chunk, offset);
    // A write may fail while we wait for the next chunk, which is not taken then. Till then, it must not count as forgotten.
    written.catch(() => void (failed ??= written));
    offset = end;
    writes.push({ end, written });
    while (writes[0] !== undefined && offset - writes[0].end > allowance()) await writes.shift()?.written;
  }
  for (const { written } of writes) await written;
}

async function writeOne(upload: Pick<Upload, 'write'>, chunk: Uint8Array, offset: number): Promise<void> {
  const { byteLength } = chunk;
  waitingBytes += byteLength;
  try {
    await upload.write(chunk, offset);
    releaseMemory(chunk);
  } finally {
    waitingBytes -= byteLength;
  }
}

function allowance(): number {
  return waitingBytes > crowd.waitingBytes ? crowd.waitingBytesOfEach : waitingBytesAtMost;
}
