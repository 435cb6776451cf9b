import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BlobStore } from '../src/blobs/blob-store.ts';
import { contractPartBytes as part, heldBlobs, readAll, sha256, write } from './contract-blobs.ts';

/** What every store guarantees for unsealed blobs: part of `testBlobStoreContract`. */
export function testUnsealedBlobs(open: () => Promise<BlobStore>): void {
  test.each([
    ['little', 1_000],
    ['exactly a part', part],
    ['parts and a remainder', 3 * part + 1],
  ])('after a sync another process can resume: %s', async (_, length) => {
    await using blobs = await open();
    const content = randomBytes(length + 2 * part);
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await write(writer, content.subarray(0, length));
    await writer.sync();
    expect(await blobs.unsealedSize(blobId)).toBe(length);
    expect(await blobs.durableSize(blobId)).toBe(length);
    await writer.close();

    await using elsewhere = await open();
    expect(await elsewhere.unsealedSize(blobId)).toBe(length);
    const resumed = await elsewhere.resume(blobId);
    expect(resumed.initialSize).toBe(length);
    await write(resumed, content.subarray(length), length);
    await resumed.sync();
    expect(await elsewhere.unsealedSize(blobId)).toBe(content.byteLength);
    await resumed.seal();
    expect(await elsewhere.unsealedSize(blobId)).toBeUndefined();
    expect(await elsewhere.durableSize(blobId)).toBe(content.byteLength);
    expect(await elsewhere.durableSize(randomUUID())).toBeUndefined();
    expect(sha256(await readAll(elsewhere, blobId, content.byteLength))).toBe(sha256(content));
  });

  test('a blob written in any order can be resumed, in any order, repeatedly', async () => {
    await using blobs = await open();
    const content = randomBytes(3 * part + 3);
    const blobId = randomUUID();
    const first = await blobs.create(blobId);
    await first.write([content.subarray(part)], part);
    await first.sync();
    await first.close();
    const second = await blobs.resume(blobId);
    expect(second.initialSize).toBe(content.byteLength);
    await second.write([content.subarray(0, part)], 0);
    await second.sync();
    await second.close();
    const third = await blobs.resume(blobId);
    await third.write([Buffer.from('end')], content.byteLength);
    await third.seal();
    const wanted = Buffer.concat([content, Buffer.from('end')]);
    expect(sha256(await readAll(blobs, blobId, wanted.byteLength))).toBe(sha256(wanted));
    await blobs.remove(blobId);
    expect(await heldBlobs(blobs)).not.toContain(blobId);
  });

  test.each([
    ['little', 1_000],
    ['parts and a remainder', 2 * part + 7],
  ])('an unsealed blob can be read, and changed after that: %s', async (_, length) => {
    await using blobs = await open();
    const content = randomBytes(length);
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await write(writer, content);
    expect(sha256(await writer.read(0, length))).toBe(sha256(content));
    expect(sha256(await writer.read(length - 5, 100))).toBe(sha256(content.subarray(-5)));
    expect(await writer.read(length + 1, 5)).toHaveLength(0);
    await writer.write([Buffer.from('end')], length);
    expect((await writer.read(length, 5)).toString()).toBe('end');
    await writer.seal();
    const wanted = Buffer.concat([content, Buffer.from('end')]);
    expect(sha256(await readAll(blobs, blobId, wanted.byteLength))).toBe(sha256(wanted));
  });

  test('a blob cannot be opened before it is sealed, and cannot be resumed afterwards', async () => {
    await using blobs = await open();
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await writer.write([Buffer.from('hello')], 0);
    await expect(blobs.open(blobId, 5)).rejects.toMatchObject({ code: 'content_missing' });
    await writer.seal();
    await expect(blobs.resume(blobId)).rejects.toMatchObject({ code: 'content_missing' });
  });

  test.each([
    ['just begun', 10, false],
    ['with parts', 3 * part + 9, false],
    ['synced', 3 * part + 9, true],
    ['written out of order', 2 * part, true],
  ])('an unsealed blob is removed completely: %s', async (name, length, sync) => {
    await using blobs = await open();
    const blobId = randomUUID();
    const writer = await blobs.create(blobId);
    await write(writer, randomBytes(length), name === 'written out of order' ? 5 : 0);
    if (sync) {
      await writer.sync();
      expect(await heldBlobs(blobs)).toContain(blobId);
    }
    await writer.close();
    await blobs.remove(blobId);
    expect(await heldBlobs(blobs)).not.toContain(blobId);
    expect(await blobs.unsealedSize(blobId)).toBeUndefined();
  });
}
