import { createHash } from 'node:crypto';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema, type UserName } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Filebox } from '../src/filebox.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/inbox/a.csv');
const globex = userNameSchema.parse('globex');
const inbox = parseVirtualPath('/inbox');
const mine = { includeUploadOf: acme.userName };
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

async function openWithInbox() {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, [inbox]);
  return box;
}

function begin(filebox: Filebox, options: { resume?: boolean; userName?: UserName } = {}) {
  const { resume = false, userName = acme.userName } = options;
  const origin = { ...acme, userName };
  return filebox.beginUpload(vfsId, path, { origin, overwrite: true, resumable: true, resume });
}

async function interrupt(filebox: Filebox, content: string): Promise<void> {
  const upload = await begin(filebox);
  await upload.write(Buffer.from(content), 0);
  await upload.suspend();
}

afterEach(() => vi.useRealTimers().restoreAllMocks());

test('a suspended upload is visible to its uploader with its true size, and to no other user', async () => {
  const { filebox } = await openWithInbox();
  await interrupt(filebox, 'hello');
  const partial = { kind: 'upload', path, name: 'a.csv', owner: 'acme', size: 5 };
  expect(await filebox.find(vfsId, path, mine)).toMatchObject(partial);
  expect(await filebox.scan(vfsId, inbox, { limit: 10, ...mine })).toEqual([expect.objectContaining(partial)]);
  expect(await filebox.find(vfsId, path)).toBeUndefined();
  expect(await filebox.find(vfsId, path, { includeUploadOf: globex })).toBeUndefined();
  expect(await filebox.scan(vfsId, inbox, { limit: 10 })).toEqual([]);
  expect(await filebox.scan(vfsId, inbox, { limit: 10, includeUploadOf: globex })).toEqual([]);
  expect(await filebox.list(vfsId, inbox)).toEqual({ entries: [], totalCount: 0 });
  expect(await filebox.count(vfsId, inbox)).toBe(0);
});

test('a growing upload is visible to its uploader as it grows', async () => {
  const { filebox } = await openWithInbox();
  await using upload = await begin(filebox);
  await upload.write(Buffer.from('abc'), 0);
  expect(await filebox.find(vfsId, path, mine)).toMatchObject({ kind: 'upload', size: 3 });
  await upload.write(Buffer.from('def'), 3);
  expect(await filebox.find(vfsId, path, mine)).toMatchObject({ kind: 'upload', size: 6 });
});

test('a suspended upload starts nothing and is not audited', async () => {
  const { filebox, audits, fileEvents } = await openWithInbox();
  await interrupt(filebox, 'hello');
  expect(await audits()).toEqual([]);
  expect(await fileEvents()).toEqual([]);
});

test('a suspended upload is resumed in another process, and is committed completely', async () => {
  const { filebox, openAnother, get, audits } = await openWithInbox();
  await interrupt(filebox, 'hello ');
  const upload = await begin(await openAnother(), { resume: true });
  expect(upload.size()).toBe(6);
  await upload.write(Buffer.from('world'), 6);
  expect(await upload.commit()).toMatchObject({ size: 11, sha256: sha256('hello world') });
  expect(await get('/inbox/a.csv')).toBe('hello world');
  expect(await filebox.find(vfsId, path, mine)).toMatchObject({ kind: 'file' });
  expect(await audits()).toHaveLength(1);
});

test('it can be suspended repeatedly', async () => {
  const { filebox, get } = await openWithInbox();
  await interrupt(filebox, 'a');
  for (const [index, text] of ['b', 'c', 'd'].entries()) {
    const upload = await begin(filebox, { resume: true });
    await upload.write(Buffer.from(text), index + 1);
    await upload.suspend();
  }
  await (await begin(filebox, { resume: true })).commit();
  expect(await get('/inbox/a.csv')).toBe('abcd');
});

test('an upload that is still held cannot be resumed until its lease has expired', async () => {
  const { filebox, openAnother, db } = await openWithInbox();
  const held = await begin(filebox);
  await held.write(Buffer.from('hello'), 0);
  const another = await openAnother();
  await expect(begin(another, { resume: true })).rejects.toMatchObject({ code: 'upload_in_progress' });
  await db.raw(`UPDATE filebox.uploads SET lease_until = now() - interval '1 second'`);
  const taken = await begin(another, { resume: true });
  expect(taken.size()).toBe(5);
  // As after a pause of the whole process, without renewals.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000);
  await expect(held.commit()).rejects.toMatchObject({ code: 'upload_incomplete' });
  expect(await taken.commit()).toMatchObject({ size: 5, sha256: sha256('hello') });
});

test('a holder renews its lease, and stops when the lease is lost', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { filebox, db } = await openWithInbox();
  const upload = await begin(filebox);
  await upload.write(Buffer.from('hello'), 0);
  await db.raw(`UPDATE filebox.uploads SET lease_until = now() - interval '1 hour'`);
  vi.advanceTimersByTime(10_000);
  const renewed = db('filebox.uploads').whereRaw('lease_until > now()');
  await expect.poll(async () => renewed.clone()).toHaveLength(1);
  await db.raw('UPDATE filebox.uploads SET holder = gen_random_uuid()');
  vi.advanceTimersByTime(10_000);
  await expect
    .poll(() => upload.write(Buffer.from('x'), 5).catch((error: unknown) => error))
    .toMatchObject({ code: 'upload_incomplete' });
  expect(await db('filebox.uploads')).toHaveLength(1);
});

test('resuming a suspended upload and not changing it leaves it as it was', async () => {
  const { filebox } = await openWithInbox();
  await interrupt(filebox, 'hello');
  await (await begin(filebox, { resume: true })).discard();
  expect(await filebox.find(vfsId, path, mine)).toMatchObject({ kind: 'upload', size: 5 });
  const upload = await begin(filebox, { resume: true });
  await upload.write(Buffer.from('!'), 5);
  await upload.discard();
  expect(await filebox.find(vfsId, path, mine)).toBeUndefined();
});

test('a user can resume only its own uploads', async () => {
  const { filebox } = await openWithInbox();
  await interrupt(filebox, 'hello');
  await using upload = await begin(filebox, { resume: true, userName: globex });
  expect(upload.size()).toBe(0);
});

test('with no suspended upload, resuming starts with a copy of the file, which is unchanged until the commit', async () => {
  const { filebox, put, get } = await openWithInbox();
  await put('/inbox/a.csv', 'hello');
  const upload = await begin(filebox, { resume: true });
  expect(upload.size()).toBe(5);
  await upload.write(Buffer.from('J'), 0);
  await upload.write(Buffer.from('!'), 5);
  expect(await get('/inbox/a.csv')).toBe('hello');
  expect(await upload.commit()).toMatchObject({ sha256: sha256('Jello!') });
  expect(await get('/inbox/a.csv')).toBe('Jello!');
});

test('a newer file hides a suspended upload, and is the base of a resumed upload', async () => {
  const { filebox, put } = await openWithInbox();
  await interrupt(filebox, 'old');
  await put('/inbox/a.csv', 'newer');
  expect(await filebox.find(vfsId, path, mine)).toMatchObject({ kind: 'file', size: 5 });
  expect(await filebox.scan(vfsId, inbox, { limit: 10, ...mine })).toMatchObject([{ kind: 'file' }]);
  await using upload = await begin(filebox, { resume: true });
  expect(upload.size()).toBe(5);
});

test('a new upload discards the suspended one and its bytes', async () => {
  const { filebox, heldBlobs, db } = await openWithInbox();
  await interrupt(filebox, 'hello');
  await using upload = await begin(filebox);
  expect(await db('filebox.uploads')).toHaveLength(1);
  expect(await filebox.find(vfsId, path, mine)).toMatchObject({ size: 0 });
  await upload.discard();
  await filebox[Symbol.asyncDispose]();
  expect(await heldBlobs()).toEqual([]);
});

test('an uploader can delete a suspended upload, but not a running one', async () => {
  const { filebox, heldBlobs, audits } = await openWithInbox();
  await interrupt(filebox, 'hello');
  expect(await filebox.deleteFile(vfsId, path, { origin: acme })).toEqual({ file: undefined, removed: [] });
  expect(await filebox.find(vfsId, path, mine)).toBeUndefined();
  expect(await audits()).toEqual([]);
  await using _ = await begin(filebox);
  await expect(filebox.deleteFile(vfsId, path, { origin: acme })).rejects.toMatchObject({ code: 'upload_in_progress' });
  await filebox[Symbol.asyncDispose]();
  expect(await heldBlobs()).toHaveLength(1);
});

test('an empty upload, and one that cannot be resumed, are not kept', async () => {
  const { filebox, heldBlobs } = await openWithInbox();
  await (await begin(filebox)).suspend();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('x'), 0);
  await upload.suspend();
  expect(await filebox.find(vfsId, path, mine)).toBeUndefined();
  expect(await heldBlobs()).toEqual([]);
});

test.each([true, false])(
  'an upload that must be the only one of its user leaves a suspended one as it is (kept itself: %s)',
  async (resumable) => {
    const { filebox, get } = await openWithInbox();
    await interrupt(filebox, 'hello');
    const only = { overwrite: false, besideUploads: false, resumable };
    const refused = filebox.beginUpload(vfsId, path, { origin: acme, ...only, resume: false });
    await expect(refused).rejects.toMatchObject({ code: 'already_exists' });
    const another = { ...acme, userName: globex };
    await using unaware = await filebox.beginUpload(vfsId, path, { origin: another, ...only });
    expect(unaware.size()).toBe(0);
    const upload = await begin(filebox, { resume: true });
    expect(upload.size()).toBe(5);
    await upload.commit();
    expect(await get('/inbox/a.csv')).toBe('hello');
    await expect(unaware.commit()).rejects.toMatchObject({ code: 'already_exists' });
  },
);

test('of uploads that must be the only one of their user and begin at the same time, one begins', async () => {
  const { filebox, openAnother } = await openWithInbox();
  const boxes = [filebox, await openAnother()];
  for (let round = 0; round < 25; round += 1) {
    const tries = [...boxes, ...boxes].map((box) =>
      box.beginUpload(vfsId, path, { origin: acme, overwrite: false, besideUploads: false, resumable: true }),
    );
    const begun = await Promise.allSettled(tries);
    const refusals = begun.filter((outcome) => outcome.status === 'rejected');
    expect(refusals.map(({ reason }) => (isCodedError(reason) ? reason.code : String(reason)))).toEqual(
      Array.from({ length: 3 }, () => 'already_exists'),
    );
    for (const outcome of begun) if (outcome.status === 'fulfilled') await outcome.value.discard();
  }
});
