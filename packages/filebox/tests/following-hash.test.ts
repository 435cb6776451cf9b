import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readlink, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, onTestFinished, test } from 'vitest';
import { createFileHasher } from '../src/blobs/hashing/file-hasher.ts';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const mebibyte = 1024 * 1024;
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function openFolder() {
  const folder = await createTestFolder();
  onTestFinished(() => folder.remove());
  const hasher = createFileHasher();
  onTestFinished(() => hasher[Symbol.asyncDispose]());
  return { path: (name: string) => join(folder.path, name), folder: folder.path, hasher };
}

async function openFilesBelow(folder: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(`${folder}/`)).length;
}

test('files that grow at the same time each have the hash of their content', async () => {
  const { path, hasher } = await openFolder();
  const follow = async (name: string) => {
    const content = randomBytes(9 * mebibyte + 7);
    await using file = await open(path(name), 'wx');
    const followed = hasher.follow(path(name));
    for (let offset = 0; offset < content.length; offset += mebibyte) {
      await file.write(content.subarray(offset, offset + mebibyte), 0, undefined, offset);
      followed.grown(Math.min(content.length, offset + mebibyte));
    }
    expect((await followed.digest(content.length))?.toString('hex')).toBe(sha256(content));
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(follow));
});

test('a file that was renamed before the thread opened it is found under its new name', async () => {
  const { path, hasher } = await openFolder();
  await writeFile(path('new'), 'content');
  const digest = await hasher.follow(path('old'), path('new')).digest(7);
  expect(digest?.toString('hex')).toBe(sha256(Buffer.from('content')));
});

test('a file that cannot be read, or is shorter than reported, has no hash; the others have theirs', async () => {
  const { path, hasher } = await openFolder();
  await writeFile(path('short'), 'content');
  const short = hasher.follow(path('short'));
  short.grown(2 * mebibyte);
  expect(await short.digest(2 * mebibyte)).toBeUndefined();
  expect(await hasher.follow(path('nowhere')).digest(7)).toBeUndefined();
  expect((await hasher.follow(path('short')).digest(7))?.toString('hex')).toBe(sha256(Buffer.from('content')));
});

test('a file that was forgotten or has ended is closed', async () => {
  const { path, folder, hasher } = await openFolder();
  await writeFile(path('file'), 'content');
  const forgotten = hasher.follow(path('file'));
  const followed = hasher.follow(path('file'));
  await waitFor(async () => (await openFilesBelow(folder)) === 2, { what: 'the thread to open both' });
  forgotten.forget();
  await followed.digest(7);
  followed.forget();
  await waitFor(async () => (await openFilesBelow(folder)) === 0, { what: 'the thread to close both' });
});

test('a thread that ends leaves no digest pending, and the next one starts from the beginning', async () => {
  const { path, hasher } = await openFolder();
  await writeFile(path('file'), 'content');
  const followed = hasher.follow(path('file'));
  const waiting = followed.digest(mebibyte);
  await hasher[Symbol.asyncDispose]();
  expect(await waiting).toBeUndefined();
  expect(await followed.digest(7)).toBeUndefined();
  expect((await hasher.digest(path('file'))).toString('hex')).toBe(sha256(Buffer.from('content')));
});

const target = parseVirtualPath('/big');
const content = randomBytes(11 * mebibyte + 3);

async function upload(write: (chunk: Uint8Array, offset: number) => Promise<void>, from = 0): Promise<void> {
  for (let offset = from; offset < content.length; offset += 300_000) {
    await write(content.subarray(offset, offset + 300_000), offset);
  }
}

test('big uploads have the hash of their content whatever their order of writes: in order, after a truncation, with a rewrite', async () => {
  const { filebox } = await openTestFilebox();
  const begin = () => filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });

  await using inOrder = await begin();
  await upload((chunk, offset) => inOrder.write(chunk, offset));
  expect((await inOrder.commit()).sha256).toBe(sha256(content));

  await using again = await begin();
  await again.write(randomBytes(5 * mebibyte), 0);
  await again.truncate(0);
  await upload((chunk, offset) => again.write(chunk, offset));
  expect((await again.commit()).sha256).toBe(sha256(content));

  await using rewritten = await begin();
  await rewritten.write(randomBytes(6 * mebibyte), 0);
  await upload((chunk, offset) => rewritten.write(chunk, offset));
  expect((await rewritten.commit()).sha256).toBe(sha256(content));
});

test('a big upload whose bytes cannot be followed is hashed when it is complete', async () => {
  const { filebox, blobDir } = await openTestFilebox();
  await using big = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });
  await big.write(content.subarray(0, 3 * mebibyte), 0);
  const incoming = await findBlob(blobDir, big.blobId);
  // Moved away while the thread looks for it.
  await rename(incoming, `${incoming}-away`);
  await big.write(content.subarray(3 * mebibyte, 5 * mebibyte), 3 * mebibyte);
  await using other = await filebox.beginUpload(vfsId, parseVirtualPath('/other'), { origin: acme, overwrite: true });
  await upload((chunk, offset) => other.write(chunk, offset));
  await other.commit();
  await rename(`${incoming}-away`, incoming);
  await upload((chunk, offset) => big.write(chunk, offset), 5 * mebibyte);
  expect((await big.commit()).sha256).toBe(sha256(content));
});

test('a big upload that is discarded is closed', async () => {
  const { filebox, blobDir } = await openTestFilebox();
  const big = await filebox.beginUpload(vfsId, target, { origin: acme, overwrite: true });
  await upload((chunk, offset) => big.write(chunk, offset));
  await waitFor(async () => (await openFilesBelow(blobDir)) > 1, { what: 'the thread to open it' });
  await big.discard();
  await waitFor(async () => (await openFilesBelow(blobDir)) === 0, { what: 'everybody to close it' });
});

test('a store with hashesAside false follows no writes on a thread', async () => {
  const { folder } = await openFolder();
  const followable = async (hashesAside: boolean | undefined) => {
    await using store = await openLocalBlobStore({ dir: folder, hashesAside });
    const writer = await store.create(uuidV7());
    await writer.close();
    return writer.follow !== undefined;
  };
  expect([await followable(undefined), await followable(true), await followable(false)]).toEqual([true, true, false]);
});

async function findBlob(dir: string, blobId: string): Promise<string> {
  const found = (await readdir(dir, { recursive: true })).find((name) => name.endsWith(blobId));
  if (found === undefined) throw new Error(`there is no blob ${blobId}`);
  return join(dir, found);
}
