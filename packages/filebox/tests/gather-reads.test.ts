import { randomBytes } from 'node:crypto';
import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatherReads } from '../src/blobs/local/gather-reads.ts';

const part = 64 * 1024;
const content = randomBytes(40 * part + 100);
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let handle: FileHandle;
/** The number of parts in each combined read; reads of a single part are not included. */
let together: number[] = [];

beforeAll(async () => {
  folder = await createTestFolder();
  const path = join(folder.path, 'content');
  await writeFile(path, content);
  handle = await open(path, 'r');
  const readv = handle.readv.bind(handle);
  handle.readv = (buffers, position) => {
    together.push(buffers.length);
    return readv(buffers, position);
  };
});
afterAll(async () => {
  await handle?.close();
  await folder?.remove();
});

async function readAt(offsets: readonly number[], length = part): Promise<Buffer[]> {
  together = [];
  const reads = gatherReads(handle);
  const targets = offsets.map(() => Buffer.alloc(length));
  const counts = await Promise.all(targets.map((target, index) => reads.fill(target, offsets[index] ?? 0)));
  return targets.map((target, index) => target.subarray(0, counts[index]));
}

const expected = (offsets: readonly number[], length = part) =>
  offsets.map((offset) => content.subarray(offset, offset + length));

describe('reads that are requested in one tick', () => {
  it('are combined if they are adjacent, up to a mebibyte', async () => {
    const offsets = Array.from({ length: 40 }, (_, index) => index * part);
    expect(await readAt(offsets)).toEqual(expected(offsets));
    expect(together).toEqual([16, 16, 8]);
  });

  it('are separate if they are not adjacent, and return the same', async () => {
    const offsets = [3 * part, 4 * part, 9 * part, 2 * part, 2 * part, 3 * part];
    expect(await readAt(offsets)).toEqual(expected(offsets));
    expect(together).toEqual([2, 2]);
  });

  it('return the bytes up to the end of the file, and none behind it', async () => {
    const offsets = [39 * part, 40 * part, 41 * part];
    const [last, rest, nothing] = await readAt(offsets);
    expect(last).toEqual(content.subarray(39 * part, 40 * part));
    expect(rest).toEqual(content.subarray(40 * part));
    expect(nothing).toHaveLength(0);
  });

  it('all fail if the file cannot be read', async () => {
    const closed = await open(join(folder.path, 'content'), 'r');
    await closed.close();
    const reads = gatherReads(closed);
    const outcomes = await Promise.allSettled([0, part].map((offset) => reads.fill(Buffer.alloc(part), offset)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('still happen if the file is closed right after', async () => {
    const closing = await open(join(folder.path, 'content'), 'r');
    const reads = gatherReads(closing);
    const target = Buffer.alloc(part);
    const filled = reads.fill(target, 0);
    reads.begin();
    await closing.close();
    expect(await filled).toBe(part);
    expect(target).toEqual(content.subarray(0, part));
  });
});
