import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { expect, test } from 'vitest';
import type { TransferRight } from '../src/model/transfer-right.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.bin');
const content = Buffer.from('content');
const condition = { name: 'test rights', sql: 'EXISTS (SELECT FROM public.rights WHERE version = :version)' };

/** A right that is valid in every version up to `last`, with a log of its calls. */
function rightUntil(db: Database, last: number) {
  const withdrawn = new AbortController();
  const told = { renewed: 0, disposed: 0 };
  let version = 1;
  const right: TransferRight = {
    signal: withdrawn.signal,
    condition,
    bindings: () => ({ version }),
    renew: async (on) => {
      told.renewed += 1;
      const { rows } = await on.raw<{ rows: { version: number }[] }>('SELECT version FROM public.rights');
      version = rows[0]?.version ?? 0;
      if (version > last) withdrawn.abort(new CodedError('no_write_permission'));
      withdrawn.signal.throwIfAborted();
    },
    [Symbol.dispose]: () => (told.disposed += 1),
  };
  const change = async () => {
    await db.raw('UPDATE public.rights SET version = version + 1');
  };
  const withdraw = () => withdrawn.abort(new CodedError('not_authenticated', { detail: 'the user was frozen' }));
  return { right, told, change, withdraw };
}

async function openWithRight(last = 1, options: Parameters<typeof openTestFilebox>[0] = {}) {
  const box = await openTestFilebox(options);
  await box.db.raw('CREATE TABLE public.rights AS SELECT 1 AS version');
  const given = rightUntil(box.db, last);
  const begin = async (more: { resumable?: boolean; resume?: boolean } = {}) => {
    const options = { origin: acme, overwrite: true, right: given.right, ...more };
    const upload = await box.filebox.beginUpload(vfsId, path, options);
    await upload.write(content, 0);
    return upload;
  };
  const records = async () => (await box.audits()).map(({ auditMessage }) => auditMessage);
  return { ...box, ...given, begin, records };
}

test('an upload whose right is unchanged is committed by one statement, without another check', async () => {
  const { begin, get, told } = await openWithRight();
  await (await begin()).commit();
  expect([await get(path), told]).toEqual(['content', { renewed: 0, disposed: 1 }]);
});

test.each([
  ['alone', false],
  ['with more in its transaction', true],
])('an upload whose right may have changed is committed if it is still valid: %s', async (_, hasMore) => {
  const { begin, get, told, change } = await openWithRight(2);
  const upload = await begin();
  await change();
  await upload.commit(hasMore ? { within: async () => {} } : {});
  expect([await get(path), told]).toEqual(['content', { renewed: 1, disposed: 1 }]);
});

test.each([
  ['alone', false],
  ['with more in its transaction', true],
])('an upload whose right is withdrawn before its commit is not committed: %s', async (_, hasMore) => {
  const { begin, get, change, told, records, fileEvents, heldBlobs } = await openWithRight();
  const upload = await begin();
  await change();
  const committed = upload.commit(hasMore ? { within: () => Promise.reject(new Error('too late')) } : {});
  await expect(committed).rejects.toMatchObject({ code: 'no_write_permission' });
  expect([await get(path), await fileEvents(), await heldBlobs(), told.disposed]).toEqual([undefined, [], [], 1]);
  expect(await records()).toEqual(['Server upload file /a.bin was refused: No write permission']);
});

test('the right is checked after the last byte is on disk, by the statement that commits', async () => {
  const atLast: { change?: () => Promise<void> } = {};
  const observe = (step: string) => (step === 'contentWritten' ? atLast.change?.() : undefined);
  const { begin, get, change } = await openWithRight(1, { observe });
  atLast.change = change;
  await expect((await begin()).commit()).rejects.toMatchObject({ code: 'no_write_permission' });
  expect(await get(path)).toBeUndefined();
});

test('a commit finds its folder if that was moved and the right has changed meanwhile', async () => {
  const { filebox, right, change, get } = await openWithRight(5);
  await filebox.ensureFolders(vfsId, [parseVirtualPath('/in')]);
  const inside = parseVirtualPath('/in/a.bin');
  const upload = await filebox.beginUpload(vfsId, inside, { origin: acme, overwrite: true, right });
  await upload.write(content, 0);
  await filebox.rename(vfsId, parseVirtualPath('/in'), parseVirtualPath('/moved'), { origin: acme, overwrite: false });
  await change();
  await upload.commit();
  expect(await get('/moved/a.bin')).toBe('content');
});

test('a withdrawn right ends an upload with nothing left, and every later call fails with the reason', async () => {
  const { begin, withdraw, records, heldBlobs, told, get } = await openWithRight();
  const upload = await begin();
  withdraw();
  const refused = { code: 'not_authenticated', message: 'the user was frozen' };
  await expect(upload.write(content, 7)).rejects.toMatchObject(refused);
  await expect(upload.commit()).rejects.toMatchObject(refused);
  await upload.discard();
  expect([await heldBlobs(), await get(path), told.disposed]).toEqual([[], undefined, expect.any(Number)]);
  expect(await records()).toEqual(['Server upload file /a.bin was refused: the user was frozen']);
});

test('a resumable upload can be resumed after its right was withdrawn', async () => {
  const { begin, withdraw, filebox, get } = await openWithRight();
  const upload = await begin({ resumable: true });
  withdraw();
  await upload.suspend();
  const options = { origin: acme, overwrite: true, resumable: true, resume: true };
  const resumed = await filebox.beginUpload(vfsId, path, options);
  expect(resumed.size()).toBe(content.length);
  await resumed.commit();
  expect(await get(path)).toBe('content');
});

test('an upload by id whose commit is refused is kept, and can be resumed', async () => {
  const { filebox, db, right, change, get } = await openWithRight();
  const place = { vfsId, path, keptUntil: new Date(Date.now() + 60_000) };
  const blobId = await filebox.uploadsById.begin({ ...place, userName: acme.userName, overwrite: true });
  const options = { ...place, origin: acme, overwrite: true };
  const upload = await filebox.uploadsById.resume(blobId, { ...options, right });
  await upload.write(content, 0);
  await change();
  await expect(upload.commit()).rejects.toMatchObject({ code: 'no_write_permission' });
  const again = await filebox.uploadsById.resume(blobId, { ...options, right: rightUntil(db, 2).right });
  expect(again.size()).toBe(content.length);
  await again.commit();
  expect(await get(path)).toBe('content');
});

test('a right that is withdrawn before an upload begins refuses it, and is disposed of', async () => {
  const { begin, withdraw, told, heldBlobs } = await openWithRight();
  withdraw();
  await expect(begin()).rejects.toMatchObject({ code: 'not_authenticated' });
  expect([told.disposed, await heldBlobs()]).toEqual([1, []]);
});

test('a right that is withdrawn while an upload begins ends it', async () => {
  const { filebox, right, withdraw, records } = await openWithRight();
  const beginning = filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true, right });
  withdraw();
  const upload = await beginning;
  await expect(upload.write(content, 0)).rejects.toMatchObject({ code: 'not_authenticated' });
  await upload.discard();
  expect(await records()).toHaveLength(1);
});

test('a withdrawn right ends the reads of a download, and a closed download releases the right', async () => {
  const { filebox, put, right, withdraw, told } = await openWithRight();
  await put(path, 'content');
  const download = await filebox.openDownload(vfsId, path, { origin: acme, right });
  expect((await download.read(0, 3)).toString()).toBe('con');
  withdraw();
  await expect(download.read(3, 3)).rejects.toMatchObject({ code: 'not_authenticated' });
  await expect(download.readInto(Buffer.alloc(3), 3)).rejects.toMatchObject({ code: 'not_authenticated' });
  await download[Symbol.asyncDispose]();
  expect(told.disposed).toBe(1);
});
