import { expect, test } from 'vitest';
import type { BlobWriter } from '../blobs/blob-store.ts';
import { UploadContent } from './upload-content.ts';
import { UploadState } from './upload-state.ts';

/** Content whose writer has only the given methods. */
function contentOf(writer: Partial<BlobWriter>): UploadContent {
  const nothing = async (): Promise<void> => {};
  const whole = { truncate: nothing, sync: nothing, seal: nothing, close: nothing, write: nothing };
  const read = async (): Promise<Buffer> => Buffer.alloc(0);
  const state = new UploadState(() => {});
  return new UploadContent({ writer: { initialSize: 0, ...whole, read, ...writer }, assure: () => undefined, state });
}

/** Keeps what was written, and completes a write only when told to. */
function createSlowFile() {
  const calls: { offset: number; texts: string[] }[] = [];
  let open: (() => void)[] = [];
  return {
    calls,
    write: async (chunks: readonly Uint8Array[], offset: number): Promise<void> => {
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

test('adjacent chunks that queue behind a running write are written together', async () => {
  const file = createSlowFile();
  const content = contentOf({ write: file.write });
  const writes = [content.write(chunk('a'), 0), content.write(chunk('b'), 1), content.write(chunk('c'), 2)];
  await file.finishAll();
  await Promise.all(writes);
  expect(file.calls).toEqual([
    { offset: 0, texts: ['a'] },
    { offset: 1, texts: ['b', 'c'] },
  ]);
});

test('chunks that are not adjacent are written separately, in the order of the calls', async () => {
  const file = createSlowFile();
  const content = contentOf({ write: file.write });
  const writes = [0, 5, 6, 0].map((offset) => content.write(chunk('x'), offset));
  await file.finishAll();
  await Promise.all(writes);
  expect(file.calls.map(({ offset, texts }) => [offset, texts.length])).toEqual([
    [0, 1],
    [5, 2],
    [0, 1],
  ]);
});

test('other work waits for the writes before it, and writes after it wait for it', async () => {
  const order: string[] = [];
  const content = contentOf({
    write: async ([first]) => void order.push(Buffer.from(first ?? []).toString()),
    sync: async () => void order.push('sync'),
  });
  await Promise.all([content.write(chunk('a'), 0), content.sync(), content.write(chunk('b'), 1)]);
  expect(order).toEqual(['a', 'sync', 'b']);
});

test('the first failure rejects every waiting and later call', async () => {
  const full = new Error('full');
  let calls = 0;
  const content = contentOf({
    write: async () => {
      calls += 1;
      throw full;
    },
  });
  const results = await Promise.allSettled([content.write(chunk('a'), 0), content.write(chunk('b'), 9)]);
  expect(results.map((result) => result.status === 'rejected' && result.reason === full)).toEqual([true, true]);
  expect(() => content.write(chunk('c'), 1)).toThrow(full);
  await expect(content.idle()).rejects.toBe(full);
  expect(calls).toBe(1);
});

test('content is idle when nothing is left to write', async () => {
  const written: number[] = [];
  const content = contentOf({
    write: async (_, offset) => {
      await new Promise((resolve) => setImmediate(resolve));
      written.push(offset);
    },
  });
  void content.write(chunk('a'), 0);
  void content.write(chunk('b'), 7);
  await content.idle();
  expect(written).toEqual([0, 7]);
});

test('shared content is copied before a write, and its reader is closed', async () => {
  const written: { offset: number; text: string }[] = [];
  let closed = 0;
  const content = contentOf({
    write: async (chunks, offset) => void written.push({ offset, text: Buffer.concat(chunks).toString() }),
  });
  const reader = {
    read: async (offset: number, length: number) => Buffer.from('hello').subarray(offset, offset + length),
    readInto: () => Promise.reject(new Error('unexpected readInto')),
    stream: () => {
      throw new Error('unexpected stream');
    },
    writeTo: () => Promise.reject(new Error('unexpected send')),
    close: async () => void (closed += 1),
  };
  content.share({ blobId: 'blob', size: 5, sha256: Buffer.alloc(32), reader });
  expect(content.size).toBe(5);
  const writes = [content.write(chunk(' world'), content.size), content.write(chunk('!'), content.size)];
  expect(content.shared).toBeUndefined();
  await Promise.all(writes);
  expect(written).toEqual([
    { offset: 0, text: 'hello' },
    { offset: 5, text: ' world!' },
  ]);
  expect(closed).toBe(1);
});
