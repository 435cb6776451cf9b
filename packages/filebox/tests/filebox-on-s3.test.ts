import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitSteps, diskSteps } from '../src/blobs/upload-step.ts';
import type { Filebox } from '../src/filebox.ts';
import { copyFile } from './copy-file.ts';
import { openS3Filebox, type S3TestFilebox } from './open-s3-filebox.ts';
import { acme, contentAt, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.bin');
const mebibyte = 1024 * 1024;
const nothing = { objects: [], uploads: [] };
const crashingUpload = fileURLToPath(new URL('crashing-upload.ts', import.meta.url));
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

let server: TestObjectStore;
beforeAll(async () => {
  server = await createTestObjectStore();
});
afterAll(() => server.stop());

function begin(filebox: Filebox, options: { resume?: boolean } = {}) {
  return filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true, resumable: true, ...options });
}

async function uploadAndCrash(box: S3TestFilebox, request: { content: string; times: number; crashAt: string }) {
  const { databaseUrl, blobDir, storageClass } = box;
  const json = JSON.stringify({ vfsId, path, origin: acme, storageClass, ...request });
  const child = spawn(process.execPath, [crashingUpload, databaseUrl, blobDir, json], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

test('a file that arrives in order is sent to S3 without a local copy, and is read back by ranges', async () => {
  const box = await openS3Filebox(server);
  const content = randomBytes(17 * mebibyte + 5);
  const upload = await begin(box.filebox);
  for (let offset = 0; offset < content.length; offset += 300_000) {
    await upload.write(content.subarray(offset, offset + 300_000), offset);
  }
  const file = await upload.commit();
  expect(file).toMatchObject({ size: content.length, sha256: sha256(content), storageClass: 'objects' });
  expect(await box.held()).toEqual({ objects: [`blobs/${file.blobId}`], uploads: [] });
  expect(await box.heldBlobs()).toEqual([]);
  expect(existsSync(join(box.blobDir, 'spool'))).toBe(false);

  await using download = await box.filebox.openDownload(vfsId, path, { origin: acme });
  const [start, end] = [8 * mebibyte - 7, 9 * mebibyte + 7];
  const parts: Buffer[] = [];
  for await (const part of download.stream({ start, end })) parts.push(part as Buffer);
  expect(sha256(Buffer.concat(parts))).toBe(sha256(content.subarray(start, end)));
  expect((await download.read(content.length - 3, 100)).equals(content.subarray(-3))).toBe(true);
});

test('chunks in any order result in the right bytes and the right hash, and leave no local file behind', async () => {
  const box = await openS3Filebox(server);
  const upload = await begin(box.filebox);
  await Promise.all([
    upload.write(Buffer.from('world'), 6),
    upload.write(Buffer.from('hellO '), 0),
    upload.write(Buffer.from('o'), 4),
  ]);
  expect(await upload.commit()).toMatchObject({ size: 11, sha256: sha256(Buffer.from('hello world')) });
  expect(await box.get(path)).toBe('hello world');
  expect(await readdir(join(box.blobDir, 'spool'))).toEqual([]);
});

test('a suspended upload is resumed by another process, and shows its true size', async () => {
  const box = await openS3Filebox(server);
  const content = randomBytes(9 * mebibyte);
  const interrupted = await begin(box.filebox);
  await interrupted.write(content.subarray(0, 8 * mebibyte + 100), 0);
  await interrupted.suspend();
  const mine = { includeUploadOf: acme.userName };
  expect(await box.filebox.find(vfsId, path, mine)).toMatchObject({ kind: 'upload', size: 8 * mebibyte + 100 });

  const elsewhere = await box.openAnother();
  const resumed = await begin(elsewhere, { resume: true });
  expect(resumed.size()).toBe(8 * mebibyte + 100);
  await resumed.write(content.subarray(resumed.size()), resumed.size());
  const file = await resumed.commit();
  expect(file).toMatchObject({ size: content.length, sha256: sha256(content) });
  expect(await box.held()).toEqual({ objects: [`blobs/${file.blobId}`], uploads: [] });
});

test('a discarded upload with sent and synced parts leaves nothing', async () => {
  const box = await openS3Filebox(server);
  const upload = await begin(box.filebox);
  await upload.write(randomBytes(8 * mebibyte + 1), 0);
  await upload.sync();
  expect(await box.held()).toMatchObject({
    objects: [`partials/${upload.blobId}`],
    uploads: [`blobs/${upload.blobId}`],
  });
  await upload.discard();
  expect(await box.held()).toEqual(nothing);
});

test('an open reader of a replaced and deleted file can still read it; a day later its bytes are gone', async () => {
  const box = await openS3Filebox(server);
  await box.put(path, 'one');
  await using download = await box.filebox.openDownload(vfsId, path, { origin: acme });
  await box.put(path, 'two');
  expect(await box.get(path)).toBe('two');
  await box.filebox.deleteFile(vfsId, path, { origin: acme });
  expect((await download.read(0, 10)).toString()).toBe('one');
  expect((await box.held()).objects).toHaveLength(2);
  await box.sweepAfterDays();
  expect(await box.held()).toEqual(nothing);
});

const undelivered = commitSteps.slice(0, commitSteps.indexOf('committed')).filter((step) => !diskSteps.includes(step));

test.each(['written', ...undelivered])(
  'killed at %s, an upload is not stored, and its bytes are removed later',
  async (crashAt) => {
    const box = await openS3Filebox(server);
    await uploadAndCrash(box, { content: '0123456789abcdef', times: mebibyte, crashAt });
    expect(await box.filebox.find(vfsId, path)).toBeUndefined();
    expect(await box.fileEvents()).toEqual([]);
    expect(await box.audits()).toEqual([]);
    await box.sweepAfterDays();
    expect(await box.held()).toEqual(nothing);
    expect(await box.db('filebox.uploads')).toEqual([]);
  },
);

test('killed after its commit, an upload is stored', async () => {
  const box = await openS3Filebox(server);
  await uploadAndCrash(box, { content: 'hello', times: 1, crashAt: 'committed' });
  expect(await contentAt(box.filebox, path)).toBe('hello');
  expect((await box.fileEvents()).map(({ kind }) => kind)).toEqual(['stored']);
  expect(await box.audits()).toHaveLength(1);
  await box.sweepAfterDays({ olderObjects: true });
  expect(await contentAt(box.filebox, path)).toBe('hello');
});

test('objects and unfinished multipart uploads that the index does not know are removed; foreign objects stay', async () => {
  const box = await openS3Filebox(server);
  await uploadAndCrash(box, { content: '0123456789abcdef', times: mebibyte, crashAt: 'written' });
  await box.db('filebox.uploads').delete();
  const { prefix = '' } = box.storageClass.type === 's3' ? box.storageClass : {};
  const foreign = { Bucket: server.bucket, Key: `${prefix}/blobs/notes.txt`, Body: 'notes' };
  await server.client.send(new PutObjectCommand(foreign));
  expect((await box.held()).uploads).toHaveLength(1);
  await box.sweepAfterDays({ olderObjects: true });
  expect(await box.held()).toEqual({ objects: ['blobs/notes.txt'], uploads: [] });
});

test('files stay where they are when their VFS gets another class; a version that is appended to is stored in the new one', async () => {
  const box = await openS3Filebox(server);
  box.useClass('local');
  const empty = parseVirtualPath('/empty');
  await box.put(path, 'one');
  await box.put(empty, '');
  box.useClass('objects');
  expect(await box.get(path)).toBe('one');
  for (const [at, content] of [
    [path, 'one, two'],
    [empty, ', two'],
  ] as const) {
    const upload = await box.filebox.beginUpload(vfsId, at, { origin: acme, overwrite: true, resume: true });
    await upload.write(Buffer.from(', two'), upload.size());
    expect(await upload.commit()).toMatchObject({ storageClass: 'objects', sha256: sha256(Buffer.from(content)) });
    expect(await box.get(at)).toBe(content);
  }
  await box.filebox[Symbol.asyncDispose]();
  expect(await box.heldBlobs()).toEqual([]);
});

test('a copy shares the object, which is removed a day after the last file that uses it', async () => {
  const box = await openS3Filebox(server);
  const { blobId } = await box.put(path, 'hello');
  expect((await copyFile(box.filebox, path, '/b')).blobId).toBe(blobId);
  expect(await box.held()).toEqual({ objects: [`blobs/${blobId}`], uploads: [] });
  await box.filebox.deleteFile(vfsId, path, { origin: acme });
  await box.sweepAfterDays({ olderObjects: true });
  expect(await box.get('/b')).toBe('hello');
  expect(await box.db('filebox.blob_removals')).toEqual([]);
  await box.filebox.deleteFile(vfsId, parseVirtualPath('/b'), { origin: acme });
  expect(await box.held()).toMatchObject({ objects: [`blobs/${blobId}`] });
  await box.sweepAfterDays();
  expect(await box.held()).toEqual(nothing);
});

test('a copy into another class of storage has separate bytes', async () => {
  const box = await openS3Filebox(server);
  const { blobId } = await box.put(path, 'hello');
  box.useClass('local');
  const copy = await copyFile(box.filebox, path, '/b');
  expect(copy).toMatchObject({ storageClass: 'local', sha256: sha256(Buffer.from('hello')) });
  expect(copy.blobId).not.toBe(blobId);
  expect(await box.get('/b')).toBe('hello');
});

test('an S3 that does not respond is an outage, and nothing is stored; the index and other classes still work', async () => {
  const box = await openS3Filebox(server, { endpoint: 'http://127.0.0.1:1' });
  await expect(box.put(path, 'x')).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await box.filebox.find(vfsId, path)).toBeUndefined();
  box.useClass('local');
  await box.put(path, 'x');
  expect(await box.get(path)).toBe('x');
});

test('the memory of an upload does not grow with the file', async () => {
  const box = await openS3Filebox(server);
  const chunk = randomBytes(mebibyte);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const upload = await begin(box.filebox);
  for (let index = 0; index < 80; index += 1) {
    await upload.write(chunk, index * mebibyte);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  await upload.discard();
  // Two parts of 8 MiB, and the buffers that they grew from.
  expect(most).toBeLessThan(40 * mebibyte);
});
