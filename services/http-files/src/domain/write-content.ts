import { releaseMemory } from '@waybill/filebox/release-memory';
import type { Upload } from '@waybill/filebox/upload';

/** Bytes that may wait for the disk before we stop taking more from the client. */
const maxBytesInFlight = 2 * 1024 * 1024;

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
  for await (const chunk of content) {
    const end = offset + chunk.length;
    const written = upload.write(chunk, offset).then(() => releaseMemory(chunk));
    // A write may fail while we wait for the next chunk: it is awaited below, and must not count as forgotten till then.
    written.catch(() => {});
    offset = end;
    writes.push({ end, written });
    while (writes[0] !== undefined && offset - writes[0].end > maxBytesInFlight) await writes.shift()?.written;
  }
  for (const { written } of writes) await written;
}
