import { expect, test } from 'vitest';
import { createWriteQueue } from './write-queue.ts';

/** Keeps what was written, and writes only when told to. */
function createSlowFile() {
  const calls: { offset: number; texts: string[] }[] = [];
  let open: (() => void)[] = [];
  return {
    calls,
    write: async (chunks: Uint8Array[], offset: number): Promise<void> => {
      calls.push({ offset, texts: chunks.map((chunk) => Buffer.from(chunk).toString()) });
      await new Promise<void>((resolve) => open.push(resolve));
    },
    async finishAll(): Promise<void> {
      while (open.length > 0) {
        const finished = open;
        open = [];
        for (const finish of finished) finish();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const chunk = (text: string): Uint8Array => Buffer.from(text);

test('chunks that gather behind a running write and follow each other are written together', async () => {
  const file = createSlowFile();
  const queue = createWriteQueue(file.write);
  const writes = [queue.push(chunk('a'), 0), queue.push(chunk('b'), 1), queue.push(chunk('c'), 2)];
  await file.finishAll();
  await Promise.all(writes);
  expect(file.calls).toEqual([
    { offset: 0, texts: ['a'] },
    { offset: 1, texts: ['b', 'c'] },
  ]);
});

test('chunks that do not follow each other are written apart, in the order of the calls', async () => {
  const file = createSlowFile();
  const queue = createWriteQueue(file.write);
  const writes = [0, 5, 6, 0].map((offset) => queue.push(chunk('x'), offset));
  await file.finishAll();
  await Promise.all(writes);
  expect(file.calls.map(({ offset, texts }) => [offset, texts.length])).toEqual([
    [0, 1],
    [5, 2],
    [0, 1],
  ]);
});

test('other work waits for the writes before it and holds up those after it', async () => {
  const order: string[] = [];
  const queue = createWriteQueue(async ([first]) => void order.push(Buffer.from(first ?? []).toString()));
  await Promise.all([
    queue.push(chunk('a'), 0),
    queue.run(async () => void order.push('work')),
    queue.push(chunk('b'), 1),
  ]);
  expect(order).toEqual(['a', 'work', 'b']);
});

test('the first failure is that of every waiting and later call', async () => {
  const full = new Error('full');
  let calls = 0;
  const queue = createWriteQueue(async () => {
    calls += 1;
    throw full;
  });
  const results = await Promise.allSettled([queue.push(chunk('a'), 0), queue.push(chunk('b'), 9)]);
  expect(results.map((result) => result.status === 'rejected' && result.reason === full)).toEqual([true, true]);
  await expect(queue.push(chunk('c'), 1)).rejects.toBe(full);
  await expect(queue.idle()).rejects.toBe(full);
  expect(calls).toBe(1);
});

test('an idle queue has nothing left to write', async () => {
  const written: number[] = [];
  const queue = createWriteQueue(async (_, offset) => {
    await new Promise((resolve) => setImmediate(resolve));
    written.push(offset);
  });
  void queue.push(chunk('a'), 0);
  void queue.push(chunk('b'), 7);
  await queue.idle();
  expect(written).toEqual([0, 7]);
});
