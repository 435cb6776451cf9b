const mebibyte = 1024 * 1024;

/** The size of a part, of which one is held in memory, and the most that an object is sent in one request. */
const leastPartBytes = 8 * mebibyte;
/** The limit of S3. */
const partsAtMost = 10_000;

/** The size of the parts of an object: as small as the limit of 10 000 parts allows. */
export function partBytesFor(size: number): number {
  const needed = Math.ceil(size / partsAtMost);
  return Math.max(leastPartBytes, Math.ceil(needed / mebibyte) * mebibyte);
}

/** The content in parts of this size; the last one may be shorter. There is none if there are no bytes. */
export async function* partsOf(content: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(partBytes);
  let length = 0;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length;) {
      const copied = chunk.copy(part, length, from);
      from += copied;
      length += copied;
      if (length < partBytes) continue;
      yield part;
      // The one before may still be on its way.
      part = Buffer.allocUnsafe(partBytes);
      length = 0;
    }
  }
  if (length > 0) yield part.subarray(0, length);
}
