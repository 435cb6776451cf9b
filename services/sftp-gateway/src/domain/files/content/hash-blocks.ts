import { createHash } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { refuseWhenOver, type Asking } from './refuse-when-over.ts';

const pieceBytes = 1024 * 1024;
const blocksAtMost = 4_096;

/** What of a file is hashed. `length` and `blockBytes` are `undefined` for all up to the end, and for one hash of all. */
export interface HashOptions extends Asking {
  readonly file: { read(offset: number, length: number): Promise<Buffer> };
  /** Of the file, in bytes. */
  readonly size: number;
  readonly offset: number;
  readonly length: number | undefined;
  readonly blockBytes: number | undefined;
}

/**
 * SHA-256 of each block, the last of which may be short.
 * @throws CodedError `validation_failed` (too many blocks), `service_unavailable` (nobody waits for them any more)
 */
export async function hashBlocks(options: HashOptions): Promise<Buffer[]> {
  const { size, offset, length, blockBytes } = options;
  const hashedBytes = Math.min(length ?? Infinity, size - offset);
  if (blockBytes !== undefined && hashedBytes > blockBytes * blocksAtMost) {
    throw new CodedError('validation_failed', { detail: `At most ${blocksAtMost} blocks are hashed at a time` });
  }
  const end = Math.min(size, length === undefined ? Infinity : offset + length);
  const hashes: Buffer[] = [];
  for (let start = offset; ; start += blockBytes ?? Infinity) {
    const blockEnd = Math.min(end, start + (blockBytes ?? Infinity));
    const { digest, hashed } = await hashBlock(options, start, blockEnd);
    // An empty file has one hash too; a block behind the end has none.
    if (hashed > 0 || hashes.length === 0) hashes.push(digest);
    if (blockEnd === end || start + hashed < blockEnd) return hashes;
  }
}

async function hashBlock({ file, isOver }: HashOptions, start: number, end: number) {
  const hash = createHash('sha256');
  let hashed = 0;
  for (;;) {
    refuseWhenOver({ isOver });
    const wanted = Math.min(pieceBytes, end - start - hashed);
    const bytes = wanted > 0 ? await file.read(start + hashed, wanted) : Buffer.alloc(0);
    if (bytes.length === 0) return { digest: hash.digest(), hashed };
    hash.update(bytes);
    hashed += bytes.length;
  }
}
