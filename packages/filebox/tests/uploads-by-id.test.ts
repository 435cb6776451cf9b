import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { commitSteps, type CommitStep } from '../src/blobs/upload-step.ts';
import type { Filebox } from '../src/filebox.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { acme, contentAt, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const path = parseVirtualPath('/inbox/a.csv');
const program = fileURLToPath(new URL('crashing-upload.ts', import.meta.url));
const inAnHour = () => ({ vfsId, path, keptUntil: new Date(Date.now() + 3_600_000) });

async function openWithInbox(options: Parameters<typeof openTestFilebox>[0] = {}) {
  const box = await openTestFilebox(options);
  await box.filebox.ensureFolders(vfsId, [parseVirtualPath('/inbox')]);
  return box;
}

const begin = ({ uploadsById }: Filebox) =>
  uploadsById.begin({ ...inAnHour(), userName: acme.userName, overwrite: true });
const open = ({ uploadsById }: Filebox, blobId: string) =>
  uploadsById.resume(blobId, { ...inAnHour(), origin: acme, overwrite: true, mediaType: 'text/csv' });

async function append(filebox: Filebox, blobId: string, content: string): Promise<void> {
  const upload = await open(filebox, blobId);
  await upload.write(Buffer.from(content), upload.size());
  await upload.suspend();
}

async function crash(box: TestFilebox, crashAt: CommitStep | 'written', staged: { blobId: string; size: number }) {
  const request = JSON.stringify({ vfsId, path, content: ' world', origin: acme, crashAt, staged });
  const child = spawn(process.execPath, [program, box.databaseUrl, box.blobDir, request], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  // Otherwise its lease would last some seconds longer.
  await box.db.raw("UPDATE filebox.uploads SET lease_until = now() - interval '1 second'");
}

test('an upload by id grows request by request in any process, is not listed, and is committed once', async () => {
  const box = await openWithInbox();
  const another = await box.openAnother();
  const blobId = await begin(box.filebox);
  expect(await another.uploadsById.size(blobId)).toBe(0);
  await append(box.filebox, blobId, 'hello');
  await append(another, blobId, ' ');
  expect(await box.filebox.uploadsById.size(blobId)).toBe(6);
  expect(await box.filebox.find(vfsId, path, { includeUploadOf: acme.userName })).toBeUndefined();
  expect(await box.audits()).toEqual([]);

  const upload = await open(box.filebox, blobId);
  await upload.write(Buffer.from('world'), 6);
  const sha256 = createHash('sha256').update('hello world').digest('hex');
  expect(await upload.commit()).toMatchObject({ size: 11, sha256, mediaType: 'text/csv', owner: 'acme' });
  expect(await box.get(path)).toBe('hello world');
  expect([(await box.audits()).length, (await box.fileEvents()).length]).toEqual([1, 1]);
  expect(await another.uploadsById.size(blobId)).toBeUndefined();
  await expect(open(another, blobId)).rejects.toMatchObject({ code: 'upload_unknown' });
});

test('an upload over SFTP to the same path, and its deletion, do not affect one by id', async () => {
  const box = await openWithInbox();
  const blobId = await begin(box.filebox);
  await append(box.filebox, blobId, 'staged');
  const sftp = { origin: acme, overwrite: true, resumable: true, resume: true };
  const upload = await box.filebox.beginUpload(vfsId, path, sftp);
  expect(upload.size()).toBe(0);
  await upload.write(Buffer.from('sftp'), 0);
  await upload.commit();
  await box.filebox.deleteFile(vfsId, path, { origin: acme });
  expect(await box.filebox.uploadsById.size(blobId)).toBe(6);
});

test('of two concurrent resumes one succeeds, and the other is refused', async () => {
  const box = await openWithInbox();
  const blobId = await begin(box.filebox);
  const attempts = await Promise.allSettled([open(box.filebox, blobId), open(await box.openAnother(), blobId)]);
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = attempts.find(({ status }) => status === 'rejected');
  expect(refused).toMatchObject({ reason: { code: 'upload_in_progress' } });
});

test('the size that is returned during a write counts what has been written', async () => {
  const box = await openWithInbox();
  const blobId = await begin(box.filebox);
  await using upload = await open(box.filebox, blobId);
  await upload.write(Buffer.from('abc'), 0);
  expect(await (await box.openAnother()).uploadsById.size(blobId)).toBe(3);
});

test('a process that is killed during a write loses nothing that was written', async () => {
  const box = await openWithInbox();
  const blobId = await begin(box.filebox);
  await append(box.filebox, blobId, 'hello');
  await crash(box, 'written', { blobId, size: 5 });
  expect(await box.filebox.uploadsById.size(blobId)).toBe(11);
  expect(await (await open(box.filebox, blobId)).commit()).toMatchObject({ size: 11 });
  expect(await box.get(path)).toBe('hello world');
});

/** Its blob was created by an earlier process, and it replaces nothing here. */
const notPassed = new Set<CommitStep>(['uploadInserted', 'blobCreated', 'replacedBlobRemoved', 'removalForgotten']);

for (const step of commitSteps.filter((each) => !notPassed.has(each))) {
  test(`killed at ${step}, an upload by id is committed once, by that process or by the next`, async () => {
    const box = await openWithInbox();
    const blobId = await begin(box.filebox);
    await append(box.filebox, blobId, 'hello');
    await crash(box, step, { blobId, size: 5 });
    const restarted = await box.openAnother();
    if (step === 'committed') {
      expect(await restarted.uploadsById.size(blobId)).toBeUndefined();
    } else {
      expect(await restarted.uploadsById.size(blobId)).toBe(11);
      expect(await (await open(restarted, blobId)).commit()).toMatchObject({ size: 11 });
    }
    expect(await contentAt(restarted, path)).toBe('hello world');
    expect([(await box.audits()).length, (await box.fileEvents()).length]).toEqual([1, 1]);
  });
}

test('a commit with a temporary failure can be repeated; a refused commit ends the upload', async () => {
  const box = await openWithInbox();
  const failing = () => Promise.reject(new Error('the database went away'));
  const blobId = await begin(box.filebox);
  await append(box.filebox, blobId, 'hello');
  const passing = await open(box.filebox, blobId);
  await expect(passing.commit({ within: failing })).rejects.toThrow('the database went away');
  expect(await box.filebox.uploadsById.size(blobId)).toBe(5);
  const refused = await box.filebox.uploadsById.resume(blobId, { ...inAnHour(), origin: acme, overwrite: false });
  await box.put(path, 'was faster');
  await expect(refused.commit()).rejects.toMatchObject({ code: 'already_exists' });
  expect(await box.filebox.uploadsById.size(blobId)).toBeUndefined();
  expect(await box.heldBlobs()).toHaveLength(1);
});

test('a discarded upload releases its bytes at once, and its holder cannot commit it', async () => {
  const box = await openWithInbox();
  const blobId = await begin(box.filebox);
  const writing = await open(box.filebox, blobId);
  await writing.write(Buffer.from('hello'), 0);
  expect(await (await box.openAnother()).uploadsById.discard(blobId)).toBe(true);
  expect(await box.heldBlobs()).toEqual([]);
  await expect(writing.commit()).rejects.toMatchObject({ code: 'upload_incomplete' });
  expect(await box.get(path)).toBeUndefined();
  expect(await box.filebox.uploadsById.discard(blobId)).toBe(false);
});

test('an upload whose keep time has ended is swept with its bytes, unless it was just resumed', async () => {
  const box = await openWithInbox();
  const { signal } = new AbortController();
  await using store = await openLocalBlobStore({ dir: box.blobDir });
  const blobId = await begin(box.filebox);
  await append(box.filebox, blobId, 'hello');
  expect(await sweepUploads({ db: box.db, signal })).toBe(0);
  const upload = await open(box.filebox, blobId);
  await box.db.raw("UPDATE filebox.uploads SET kept_until = now() - interval '1 second'");
  expect(await sweepUploads({ db: box.db, signal })).toBe(0);
  await upload.suspend();
  expect(await sweepUploads({ db: box.db, signal })).toBe(1);
  expect(await sweepRemovals({ db: box.db, store, signal })).toBe(1);
  expect(await box.heldBlobs()).toEqual([]);
  expect(await box.filebox.uploadsById.size(blobId)).toBeUndefined();
});

test('an upload that is kept for days outlives the day after which others are discarded', async () => {
  const box = await openWithInbox();
  const { signal } = new AbortController();
  const blobId = await begin(box.filebox);
  await box.db.raw("UPDATE filebox.uploads SET lease_until = now() - interval '3 days'");
  expect(await sweepUploads({ db: box.db, signal })).toBe(0);
  expect(await box.filebox.uploadsById.size(blobId)).toBe(0);
});
