import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadAhead, type FileToRead, type ReadAhead } from './read-ahead.ts';
import { createTransferBuffers, type TransferBuffers } from './transfer-buffers.ts';

const part = 32 * 1024;
const parts = 100;
const content = Buffer.from(Array.from({ length: parts * part }, (_, index) => (index * 7 + index / 1024) % 251));

/** A file, the offsets that were read, and how much memory is in use. */
function openRig(options: { aheadAtMost?: number } = {}) {
  const reads: number[] = [];
  let taken = 0;
  const buffers = createTransferBuffers();
  const counted: TransferBuffers = {
    take: (length) => {
      const buffer = buffers.take(length);
      taken += 1;
      return {
        ...buffer,
        release: () => {
          taken -= 1;
          buffer.release?.();
        },
      };
    },
  };
  const open = createReadAhead(counted, options);
  const file: FileToRead = {
    size: content.length,
    readInto: async (target, offset) => {
      reads.push(offset / part);
      await turn();
      return content.copy(target, 0, offset);
    },
  };
  return { reads, open, file, taken: () => taken };
}

async function take(ahead: ReadAhead, offset: number, length: number): Promise<Buffer> {
  const { buffer, count } = await ahead.read(offset, length);
  const bytes = Buffer.from(buffer.bytes.subarray(0, count));
  buffer.release?.();
  return bytes;
}

describe('reading ahead', () => {
  it('begins with the second of two adjacent parts, and reads a mebibyte at a time', async () => {
    const { reads, open, file } = openRig();
    const ahead = open(file);
    await take(ahead, 0, part);
    expect(reads).toEqual([0]);
    await take(ahead, part, part);
    expect(reads).toEqual(Array.from({ length: 33 }, (_, index) => index));
    for (let index = 2; index < 33; index += 1) await take(ahead, index * part, part);
    expect(reads).toHaveLength(33);
    await take(ahead, 33 * part, part);
    expect(reads).toHaveLength(65);
  });

  it('does not begin for small parts, nor for parts that are not adjacent, nor beyond the end', async () => {
    const { reads, open, file } = openRig();
    const small = open(file);
    for (let index = 0; index < 5; index += 1) await take(small, index * 4096, 4096);
    const backwards = open(file);
    for (const index of [9, 7, 5, 3, 1]) await take(backwards, index * part, part);
    expect(reads).toHaveLength(10);
    const last = open(file);
    for (const index of [parts - 2, parts - 1]) await take(last, index * part, part);
    expect(reads).toHaveLength(12);
  });

  it('returns any parts in any order with the bytes of the file, and holds no memory afterwards', async () => {
    const asked = fc.record({
      jumps: fc.boolean(),
      at: fc.nat({ max: parts - 1 }),
      halves: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { maxLength: 40 }), async (requests) => {
        const { open, file, taken } = openRig();
        const ahead = open(file);
        let next = 0;
        const answers = requests.map(async ({ jumps, at, halves }) => {
          const offset = jumps || next >= content.length ? at * part : next;
          const length = Math.min(halves * (part / 2), content.length - offset);
          next = offset + length;
          const answer = await take(ahead, offset, length);
          expect(answer.equals(content.subarray(offset, offset + length))).toBe(true);
        });
        await Promise.all(answers);
        ahead.forget();
        await turn();
        await turn();
        expect(taken()).toBe(0);
      }),
    );
  });

  it('reads ahead no more than the limit of all files, and releases it', async () => {
    const { open, file, taken } = openRig({ aheadAtMost: 40 * part });
    const files = [open(file), open(file), open(file)];
    for (const ahead of files) {
      await take(ahead, 0, part);
      await take(ahead, part, part);
    }
    expect(taken()).toBe(40);
    files[0]?.forget();
    await turn();
    expect(taken()).toBe(9);
    // A part that is requested no longer counts as read ahead.
    for (let index = 2; index < 11; index += 1) if (files[1]) await take(files[1], index * part, part);
    if (files[2]) await take(files[2], 2 * part, part);
    expect(taken()).toBeLessThanOrEqual(40);
  });

  it('reports a failure only to the request for that part', async () => {
    const { open, file } = openRig();
    const ahead = open({
      ...file,
      readInto: async (target, offset) => {
        if (offset === 5 * part) throw new Error('the disk is broken there');
        return file.readInto(target, offset);
      },
    });
    for (let index = 0; index < 5; index += 1) await take(ahead, index * part, part);
    await expect(take(ahead, 5 * part, part)).rejects.toThrow('the disk is broken there');
    expect((await take(ahead, 6 * part, part)).equals(content.subarray(6 * part, 7 * part))).toBe(true);
  });
});
