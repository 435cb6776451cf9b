import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import type { BlobStore } from '../src/blobs/blob-store.ts';
import { collect, contractPartBytes as part, heldBlobs, readAll, sha256, store, write } from './contract-blobs.ts';
import { testUnsealedBlobs } from './unsealed-blob-contract.ts';

const mebibyte = 1024 * 1024;

/**
 * The tests of what every store guarantees. `open` returns the store; each call is another process' view of the same
 * blobs, as far as a store can tell.
 */
export function testBlobStoreContract(open: () => Promise<BlobStore>): void {
  testUnsealedBlobs(open);

  const lengths = [0, 1, part - 1, part, part + 1, 5 * part, 7 * part + 17];
  test.each(lengths)('%i bytes are read back unchanged, and have their digest', async (length) => {
    await using blobs = await open();
    const content = randomBytes(length);
    const blobId = await store(blobs, content);
    expect(sha256(await readAll(blobs, blobId, length))).toBe(sha256(content));
    expect((await blobs.digest(blobId)).toString('hex')).toBe(sha256(content));
  });

  test('the chunks of one write are stored one after the other', async () => {
    await using blobs = await open();
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await writer.write([Buffer.from('he'), Buffer.from('l'), Buffer.from('lo')], 0);
    await writer.seal();
    expect((await readAll(blobs, blobId, 5)).toString()).toBe('hello');
  });

  test('a chunk can be reused as soon as its write has resolved', async () => {
    await using blobs = await open();
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    const chunk = Buffer.from('one');
    await writer.write([chunk], 0);
    chunk.write('two');
    await writer.write([chunk], 3);
    await writer.seal();
    expect((await readAll(blobs, blobId, 6)).toString()).toBe('onetwo');
  });

  test.each([
    ['before the first part is full', part - 5],
    ['after some parts', 3 * part + 5],
  ])('bytes in any order are stored at their offsets: changed %s', async (_, length) => {
    await using blobs = await open();
    const content = randomBytes(length);
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await write(writer, content);
    const patch = randomBytes(100_000);
    for (const at of [0, length - 50_000, 200_003]) {
      await writer.write([patch], at);
      Buffer.concat([content, Buffer.alloc(50_000)]).copy(content);
      patch.copy(content, at);
    }
    const wanted = Buffer.concat([content, patch.subarray(50_000)]);
    await writer.seal();
    expect(sha256(await readAll(blobs, blobId, wanted.byteLength))).toBe(sha256(wanted));
    expect((await blobs.digest(blobId)).toString('hex')).toBe(sha256(wanted));
  });

  test('skipped bytes are zeros; truncated bytes are gone, and zeros after an extension', async () => {
    await using blobs = await open();
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await writer.write([Buffer.from('abc')], 2);
    await writer.truncate(3);
    await writer.truncate(6);
    await writer.seal();
    expect((await readAll(blobs, blobId, 6)).toString()).toBe('\0\0a\0\0\0');
  });

  test('a truncation to zero starts from the beginning, after some parts too', async () => {
    await using blobs = await open();
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await write(writer, randomBytes(2 * part + 1));
    await writer.truncate(0);
    await writer.write([Buffer.from('new')], 0);
    await writer.seal();
    expect((await readAll(blobs, blobId, 3)).toString()).toBe('new');
  });

  test('a blob that never existed cannot be opened, resumed, copied or digested, and its removal succeeds', async () => {
    await using blobs = await open();
    const blobId = randomUUID();
    const missing = { code: 'content_missing' };
    await expect(blobs.open(blobId, 0)).rejects.toMatchObject(missing);
    await expect(blobs.resume(blobId)).rejects.toMatchObject(missing);
    await expect(blobs.copy(blobId, randomUUID())).rejects.toMatchObject(missing);
    await expect(blobs.digest(blobId)).rejects.toMatchObject(missing);
    expect(await blobs.unsealedSize(blobId)).toBeUndefined();
    await blobs.remove(blobId);
  });

  test('a blob whose size differs from the index is missing content', async () => {
    await using blobs = await open();
    const blobId = await store(blobs, Buffer.from('hello'));
    await expect(blobs.open(blobId, 4)).rejects.toMatchObject({ code: 'content_missing' });
  });

  test('any range can be read, in parallel and in any order; beyond the end there is nothing', async () => {
    await using blobs = await open();
    const content = randomBytes(5 * mebibyte + 17);
    const blobId = await store(blobs, content);
    const reader = await blobs.open(blobId, content.byteLength);
    const offsets = [4 * mebibyte, 0, mebibyte - 1, 2 * mebibyte - 5, content.byteLength - 10];
    const read = await Promise.all(offsets.map((offset) => reader.read(offset, 100_000)));
    expect(read.map(sha256)).toEqual(offsets.map((offset) => sha256(content.subarray(offset, offset + 100_000))));
    expect(await reader.read(content.byteLength, 10)).toHaveLength(0);
    expect(await reader.read(content.byteLength + 5, 10)).toHaveLength(0);
    const range = await collect(reader.stream(mebibyte - 3, 3 * mebibyte + 1));
    expect(sha256(range)).toBe(sha256(content.subarray(mebibyte - 3, 3 * mebibyte + 1)));
    expect(await collect(reader.stream(7, 7))).toHaveLength(0);
    await reader.close();
  });

  test.each([
    ['all', 0, 5 * mebibyte + 17],
    ['a range', mebibyte - 3, 3 * mebibyte + 1],
    ['a little', 5, 9],
    ['nothing', 7, 7],
  ])('%s is written unchanged to a slow destination, which stays open', async (_, start, end) => {
    await using blobs = await open();
    const content = randomBytes(5 * mebibyte + 17);
    const blobId = await store(blobs, content);
    const reader = await blobs.open(blobId, content.byteLength);
    const taken: Buffer[] = [];
    const taker = new Writable({
      highWaterMark: 1,
      // Read as late as possible: until the callback, its memory must not be changed.
      write: (chunk: Buffer, _encoding, done) => {
        setTimeout(() => {
          taken.push(Buffer.from(chunk));
          done();
        }, 5);
      },
    });
    await reader.writeTo(taker, start, end);
    expect(taker.writableEnded).toBe(false);
    taker.end();
    await finished(taker);
    expect(sha256(Buffer.concat(taken))).toBe(sha256(content.subarray(start, end)));
    await reader.close();
  });

  test('a destination that closes ends the writing', async () => {
    await using blobs = await open();
    const content = randomBytes(5 * mebibyte);
    const blobId = await store(blobs, content);
    const reader = await blobs.open(blobId, content.byteLength);
    const taker = new Writable({ write: () => void setTimeout(() => taker.destroy(), 5) });
    await expect(reader.writeTo(taker, 0, content.byteLength)).rejects.toThrow(/clos/u);
    await reader.close();
  });

  test.each([5, part, 3 * part + 1])('a copy of %i bytes can be extended', async (length) => {
    await using blobs = await open();
    const content = randomBytes(length);
    const from = await store(blobs, content);
    const blobId = randomUUID();
    const writer = await blobs.copy(from, blobId);
    expect(writer.initialSize).toBe(length);
    await writer.write([Buffer.from('more')], length);
    await writer.seal();
    const wanted = Buffer.concat([content, Buffer.from('more')]);
    expect(sha256(await readAll(blobs, blobId, wanted.byteLength))).toBe(sha256(wanted));
    expect(sha256(await readAll(blobs, from, length))).toBe(sha256(content));
  });

  test('a sealed blob is listed with its time, and removed permanently', async () => {
    await using blobs = await open();
    const blobId = await store(blobs, Buffer.from('hello'));
    const times: Date[] = [];
    for await (const held of blobs.list()) if (held.blobId === blobId) times.push(held.modifiedAt);
    expect(times).toHaveLength(1);
    expect(Math.abs((times[0]?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    await blobs.remove(blobId);
    await blobs.remove(blobId);
    expect(await heldBlobs(blobs)).not.toContain(blobId);
    await expect(blobs.open(blobId, 5)).rejects.toMatchObject({ code: 'content_missing' });
  });
}
