import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobReader } from '../blob-store.ts';
import type { S3Bucket } from './s3-bucket.ts';

const blockBytes = 1024 * 1024;
/** The number of blocks requested ahead while a reader reads an object sequentially. */
const blocksAhead = 3;
/** The number of blocks in memory for each reader: read, requested out of order, and ahead. */
const blocksKept = 6;

/** A sealed object. */
export interface SealedObject {
  key: string;
  size: number;
  etag: string;
}

/**
 * Reads an object block by block, each with a separate request: a slow reader holds no connection, and a failed request
 * is repeated without the reader noticing. Other content under the same name is `content_missing`.
 */
export function openS3BlobReader(bucket: S3Bucket, object: SealedObject): BlobReader {
  const block = createBlocks(bucket, object);
  const { size } = object;
  async function* slices(start: number, end: number, note?: (bytes: number) => void): AsyncGenerator<Buffer> {
    for (let position = start; position < end;) {
      const index = Math.floor(position / blockBytes);
      const within = position - index * blockBytes;
      const slice = (await block.get(index)).subarray(within, within + end - position);
      note?.(slice.byteLength);
      yield slice;
      position += slice.byteLength;
    }
  }
  return {
    read: async (offset, length) => {
      const found: Buffer[] = [];
      for await (const slice of slices(offset, Math.min(offset + length, size))) found.push(slice);
      const [only] = found;
      return found.length === 1 && only ? only : Buffer.concat(found);
    },
    readInto: async (target, offset) => {
      let filled = 0;
      for await (const slice of slices(offset, Math.min(offset + target.length, size))) {
        filled += slice.copy(target, filled);
      }
      return filled;
    },
    stream: (start, end) => Readable.from(slices(start, end), { objectMode: false }),
    writeTo: (destination, start, end, note) =>
      pipeline(Readable.from(slices(start, end, note), { objectMode: false }), destination, { end: false }),
    close: async () => block.forget(),
  };
}

function createBlocks(bucket: S3Bucket, { key, size, etag }: SealedObject) {
  const blocks = new Map<number, Promise<Buffer>>();
  const closing = new AbortController();
  let latest = -1;
  const fetchBlock = (index: number): Promise<Buffer> => {
    const start = index * blockBytes;
    const range = { start, end: Math.min(start + blockBytes, size), etag, signal: closing.signal };
    const known = blocks.get(index);
    const wanted = known ?? bucket.read(key, range);
    if (!known) wanted.catch(() => blocks.delete(index));
    // The map is ordered by last use.
    blocks.delete(index);
    blocks.set(index, wanted);
    return wanted;
  };
  return {
    get: (index: number): Promise<Buffer> => {
      const inTurn = index === latest + 1 || index === latest;
      latest = index;
      for (let ahead = inTurn ? blocksAhead : 0; ahead > 0; ahead -= 1) {
        if ((index + ahead) * blockBytes < size) void fetchBlock(index + ahead).catch(() => {});
      }
      const wanted = fetchBlock(index);
      for (const [oldest] of blocks) {
        if (blocks.size <= blocksKept) break;
        blocks.delete(oldest);
      }
      return wanted;
    },
    forget: (): void => {
      closing.abort();
      blocks.clear();
    },
  };
}
