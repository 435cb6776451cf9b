import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashBlocks } from './hash-blocks.ts';

const fileOf = (content: Buffer) => ({
  // Short reads happen: a file may give less than was asked for.
  read: (offset: number, length: number) => Promise.resolve(content.subarray(offset, offset + Math.min(length, 700))),
});
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest();
const content = Buffer.from(Array.from({ length: 2_500 }, (_, index) => index % 251));
const all = {
  file: fileOf(content),
  size: content.length,
  offset: 0,
  length: undefined,
  blockBytes: undefined,
  isOver: () => false,
};

describe('the hashes of a file', () => {
  it('are one for all of it, when no blocks are asked for', async () => {
    expect(await hashBlocks(all)).toEqual([sha256(content)]);
  });

  it('are one for each block, of which the last is short', async () => {
    const hashes = [content.subarray(0, 1_000), content.subarray(1_000, 2_000), content.subarray(2_000)].map(sha256);
    expect(await hashBlocks({ ...all, blockBytes: 1_000 })).toEqual(hashes);
  });

  it('have none for a block that would begin at the end', async () => {
    expect(await hashBlocks({ ...all, blockBytes: 1_250 })).toHaveLength(2);
    expect(await hashBlocks({ ...all, length: 2_500, blockBytes: 1_250 })).toHaveLength(2);
  });

  it('are of a range, cut at the end of the file', async () => {
    expect(await hashBlocks({ ...all, offset: 10, length: 20 })).toEqual([sha256(content.subarray(10, 30))]);
    expect(await hashBlocks({ ...all, offset: 2_490, length: 99 })).toEqual([sha256(content.subarray(2_490))]);
  });

  it('are that of nothing for an empty file', async () => {
    expect(await hashBlocks({ ...all, file: fileOf(Buffer.alloc(0)), size: 0, blockBytes: 256 })).toEqual([
      sha256(Buffer.alloc(0)),
    ]);
  });

  it('are not more than an answer can carry, which is told before a byte is read', async () => {
    let reads = 0;
    const file = {
      read: (_offset: number, length: number) => {
        reads += 1;
        return Promise.resolve(Buffer.alloc(length));
      },
    };
    const size = 4_097 * 256;
    await expect(hashBlocks({ ...all, file, size, blockBytes: 256 })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(reads).toBe(0);
    expect(await hashBlocks({ ...all, file, size, offset: 256, blockBytes: 256 })).toHaveLength(4_096);
  });

  it('are given up between two pieces, when nobody waits for them any more', async () => {
    let reads = 0;
    const file = {
      read: (_offset: number, length: number) => {
        reads += 1;
        return Promise.resolve(Buffer.alloc(length));
      },
    };
    const hashing = hashBlocks({ ...all, file, size: 10_000_000, isOver: () => reads === 3 });
    await expect(hashing).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(reads).toBe(3);
  });
});
