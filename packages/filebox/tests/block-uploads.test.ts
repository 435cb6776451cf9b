import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseVirtualPath } from '@waybill/contracts/virtual-path';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, onTestFinished, test } from 'vitest';
import type { BlockLease } from '../src/block-lease.ts';
import { createDirectFile } from '../src/direct-file.ts';
import { openLocalBlobStore } from '../src/local-blob-store.ts';
import { releaseMemory } from '../src/release-memory.ts';
import type { Upload } from '../src/upload.ts';
import { createWriteQueue } from '../src/write-queue.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const blobId = '0192c0de-0000-7000-8000-000000000001';
const target = parseVirtualPath('/big');
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

function leaseOf(upload: Pick<Upload, 'lendBlocks'>): BlockLease {
  const lease = upload.lendBlocks(0);
  if (!lease) throw new Error('there is no memory to be had');
  return lease;
}

/** Sends a content through blocks as a receiver does, which fills each anew as soon as it is free. */
async function send(upload: Pick<Upload, 'write'>, memory: BlockLease, content: Buffer): Promise<void> {
  const writes: Promise<void>[] = [];
  for (let offset = 0, index = 0; offset < content.length; index = (index + 1) % memory.blocks.length) {
    await memory.whenFree(index);
    const bytes = content.copy(memory.blocks[index] ?? Buffer.alloc(0), 0, offset);
    const chunk = memory.lend(index, bytes);
    writes.push(upload.write(chunk, offset).finally(() => releaseMemory(chunk)));
    offset += bytes;
  }
  await Promise.all(writes);
}

/** Of Linux' own folder in memory, whose file system may refuse to go past the page cache; of the usual one elsewhere. */
async function createFolderInMemory() {
  const path = existsSync('/dev/shm') ? await mkdtemp('/dev/shm/waybill-test-') : undefined;
  return path === undefined ? createTestFolder() : { path, remove: () => rm(path, { recursive: true }) };
}

test.each([
  ['less than a page', 100],
  ['whole pages', 3 * 4096],
  ['whole blocks', 8 * 1024 * 1024],
  ['blocks, pages and a rest', 21 * 1024 * 1024 + 3 * 4096 + 77],
])('a content of %s that came through blocks is stored as it was, with its hash', async (_, length) => {
  const { filebox } = await openTestFilebox({ directFromBytes: 0 });
  const content = randomBytes(length);
  await using upload = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });
  using memory = leaseOf(upload);
  await send(upload, memory, content);
  const file = await upload.commit();
  expect([file.size, file.sha256]).toEqual([length, sha256(content)]);
  await using download = await filebox.openDownload(vfsId, target, { origin: acme });
  expect(sha256(await download.read(0, length))).toBe(sha256(content));
});

test.each([
  ['where the disk is', () => createTestFolder()],
  ['where nothing but the page cache is', () => createFolderInMemory()],
])('a blob written %s is what was sent, whoever reads it and when', async (_, create) => {
  const folder = await create();
  onTestFinished(() => folder.remove());
  await using store = await openLocalBlobStore({ dir: folder.path, directFromBytes: 0 });
  const content = randomBytes(13 * 1024 * 1024 + 4097);
  const writer = await store.create(blobId);
  const memory = writer.lendBlocks?.(content.length);
  if (!memory) throw new Error('there is no memory to be had');
  const upload = createWriteQueue((chunks, offset) => writer.write(chunks, offset));
  await send({ write: (chunk, offset) => upload.push(chunk, offset) }, memory, content);
  expect(sha256(await writer.read(0, content.length))).toBe(sha256(content));
  await writer.write([Buffer.from('more')], content.length);
  await writer.sync();
  expect(await store.durableSize(blobId)).toBe(content.length + 4);
  await writer.seal();
  const reader = await store.open(blobId, content.length + 4);
  expect(sha256(await reader.read(0, content.length))).toBe(sha256(content));
  await reader.close();
  const wanted = sha256(Buffer.concat([content, Buffer.from('more')]));
  expect((await store.digest(blobId)).toString('hex')).toBe(wanted);
});

test('what came through blocks can be gone on with in any way: read, changed, cut, sent in pieces', async () => {
  const { filebox } = await openTestFilebox({ directFromBytes: 0 });
  const content = randomBytes(6 * 1024 * 1024 + 5);
  await using upload = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });
  using memory = leaseOf(upload);
  await send(upload, memory, content);
  expect(sha256(await upload.read(0, content.length))).toBe(sha256(content));
  await upload.write(Buffer.from('changed'), 4_097);
  await upload.truncate(5_000_000);
  await upload.write(Buffer.from('end'), 5_000_000);
  const wanted = Buffer.concat([content.subarray(0, 5_000_000), Buffer.from('end')]);
  wanted.write('changed', 4_097);
  expect((await upload.commit()).sha256).toBe(sha256(wanted));
});

test('pieces that follow blocks are part of the hash', async () => {
  const { filebox } = await openTestFilebox({ directFromBytes: 0 });
  const content = randomBytes(3 * 1024 * 1024);
  await using upload = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });
  using memory = leaseOf(upload);
  await send(upload, memory, content.subarray(0, 2_500_000));
  await upload.write(content.subarray(2_500_000), 2_500_000);
  expect((await upload.commit()).sha256).toBe(sha256(content));
});

test('memory is lent to a few uploads at a time, and again when nothing of it is in use any more', async () => {
  const folder = await createTestFolder();
  onTestFinished(() => folder.remove());
  await using store = await openLocalBlobStore({ dir: folder.path, directFromBytes: 0 });
  const lend = async (id: number) => {
    const writer = await store.create(`0192c0de-0000-7000-8000-00000000000${id}`);
    onTestFinished(() => writer.close());
    return writer.lendBlocks?.(0);
  };
  const leases = await Promise.all([0, 1, 2, 3].map(lend));
  expect(leases.every((lease) => lease !== undefined)).toBe(true);
  expect(await lend(4)).toBeUndefined();
  const chunk = leases[0]?.lend(0, 10);
  leases[0]?.[Symbol.dispose]();
  expect(await lend(5)).toBeUndefined();
  if (chunk) releaseMemory(chunk);
  expect(await lend(6)).toBeDefined();
});

test('an upload that goes on with what is there, or is to be hashed where it is received, is lent no memory', async () => {
  const { filebox, put } = await openTestFilebox({ directFromBytes: 0 });
  await put(target, 'content');
  await using resumed = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true, resume: true });
  expect(resumed.lendBlocks(0)).toBeUndefined();

  const folder = await createTestFolder();
  onTestFinished(() => folder.remove());
  await using store = await openLocalBlobStore({ dir: folder.path, hashesAside: false, directFromBytes: 0 });
  const writer = await store.create(blobId);
  expect(writer.lendBlocks).toBeUndefined();
  await writer.close();
});

test('what memory has room for stays there, unless it was told otherwise', async () => {
  const folder = await createTestFolder();
  onTestFinished(() => folder.remove());
  const isLent = async (bytes: number, directFromBytes?: number): Promise<boolean> => {
    await using store = await openLocalBlobStore({ dir: folder.path, directFromBytes });
    const writer = await store.create(uuidV7());
    using lease = writer.lendBlocks?.(bytes);
    await writer.close();
    return lease !== undefined;
  };
  expect(await isLent(4096)).toBe(false);
  expect(await isLent(totalmem())).toBe(true);
  expect(await isLent(4096, 4096)).toBe(true);
  expect(await isLent(4095, 4096)).toBe(false);
});

test('a file system that refuses is not asked again, and takes the content in the ordinary way', async () => {
  // What is no file of a disk at all.
  const direct = createDirectFile('/proc/self/comm');
  const memory = new Uint8Array(new SharedArrayBuffer(8_192));
  expect(await direct.write(memory, 0)).toBe(0);
  expect(direct.isAccepted()).toBe(false);
  await direct.close();
});

test('a failed write gives its block back', async () => {
  const { filebox } = await openTestFilebox({ directFromBytes: 0 });
  const upload = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });
  using memory = leaseOf(upload);
  await upload.abort();
  await expect(send(upload, memory, randomBytes(100))).rejects.toMatchObject({ code: 'upload_incomplete' });
  await sleep(0);
  expect(memory.whenFree(0)).toBeUndefined();
});
