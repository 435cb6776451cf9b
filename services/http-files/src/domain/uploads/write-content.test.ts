import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { writeContent } from './write-content.ts';

async function* chunks(count: number, size: number) {
  for (let index = 0; index < count; index += 1) {
    await setImmediate();
    yield new Uint8Array(size);
  }
}

test('chunks are written one behind the other, and it ends when the last of them is written', async () => {
  const offsets: number[] = [];
  let written = 0;
  const write = async (chunk: Uint8Array, offset: number) => {
    offsets.push(offset);
    await setImmediate();
    written += chunk.length;
  };
  await writeContent({ write }, chunks(5, 10));
  expect(offsets).toEqual([0, 10, 20, 30, 40]);
  expect(written).toBe(50);
});

test('while the disk is slow no more than some megabytes are taken from the client', async () => {
  let taken = 0;
  const disk = Promise.withResolvers<void>();
  const write = (chunk: Uint8Array) => {
    taken += chunk.length;
    return disk.promise;
  };
  const writing = writeContent({ write }, chunks(100, 1024 * 1024));
  for (let turn = 0; turn < 300; turn += 1) await setImmediate();
  expect(taken).toBeLessThanOrEqual(4 * 1024 * 1024);
  disk.resolve();
  await writing;
  expect(taken).toBe(100 * 1024 * 1024);
});

test('a write that fails while the client pauses is what it fails with', async () => {
  const failure = new Error('disk full');
  await expect(writeContent({ write: () => Promise.reject(failure) }, chunks(3, 10))).rejects.toBe(failure);
});

test('the memory of a chunk is given back as soon as it is written, and not before', async () => {
  const disk = Promise.withResolvers<void>();
  const seen: Uint8Array[] = [];
  const write = (chunk: Uint8Array) => {
    seen.push(chunk);
    return disk.promise;
  };
  const writing = writeContent({ write }, chunks(3, 100_000));
  while (seen.length < 3) await setImmediate();
  expect(seen.map(({ length }) => length)).toEqual([100_000, 100_000, 100_000]);
  disk.resolve();
  await writing;
  expect(seen.map(({ length }) => length)).toEqual([0, 0, 0]);
});

test('memory that a chunk has in common with others is left alone', async () => {
  const whole = Buffer.alloc(100_000, 'x');
  async function* halves() {
    yield whole.subarray(0, 50_000);
    yield whole.subarray(50_000);
  }
  await writeContent({ write: async () => {} }, halves());
  expect(whole.equals(Buffer.alloc(100_000, 'x'))).toBe(true);
});

test('many uploads at once leave each other room: all of them together keep a few tens of megabytes waiting', async () => {
  let taken = 0;
  const disk = Promise.withResolvers<void>();
  const write = (chunk: Uint8Array) => {
    taken += chunk.length;
    return disk.promise;
  };
  const uploads = Array.from({ length: 50 }, () => writeContent({ write }, chunks(40, 64 * 1024)));
  for (let turn = 0; turn < 300; turn += 1) await setImmediate();
  expect(taken).toBeLessThanOrEqual(64 * 1024 * 1024);
  disk.resolve();
  await Promise.all(uploads);
  expect(taken).toBe(50 * 40 * 64 * 1024);
});
