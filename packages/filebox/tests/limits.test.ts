import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { Filebox } from '../src/filebox.ts';
import type { UploadOptions } from '../src/model/upload.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { limit, recount, usage } from './vfs-usage.ts';

const origin = acme;
const at = parseVirtualPath;
const refusedFor = (kind: 'byte' | 'file' | 'folder' | 'depth') => ({ code: `${kind}_limit_reached` });

async function begin(filebox: Filebox, path: string, options: Partial<UploadOptions> = {}) {
  return filebox.beginUpload(vfsId, at(path), { origin, overwrite: true, ...options });
}

test('a VFS accepts as many bytes as its limit, and reports the limit to a client that sends more', async () => {
  const { filebox, db, put, heldBlobs } = await openTestFilebox();
  await limit(db, { bytes: 10 });
  await put('/a', '123456');
  const refusal = { ...refusedFor('byte'), message: 'The virtual file system may hold 10 bytes at most' };
  await expect(put('/b', '12345')).rejects.toMatchObject(refusal);
  await put('/b', '1234');
  expect(await usage(db)).toEqual({ bytes: 10, files: 2, folders: 0 });
  expect(await heldBlobs()).toHaveLength(2);
  await filebox.deleteFile(vfsId, at('/a'), { origin });
  await put('/c', '123456');
});

test('expected bytes are reserved before the first of them, and are released if they do not arrive', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await limit(db, { bytes: 10 });
  const expectedBytes = { atLeast: 8, atMost: 8 };
  const upload = await begin(filebox, '/a', { expectedBytes });
  expect(await usage(db)).toMatchObject({ bytes: 8, files: 1 });
  await expect(begin(filebox, '/b', { expectedBytes })).rejects.toMatchObject(refusedFor('byte'));
  await expect(put('/b', '123')).rejects.toMatchObject(refusedFor('byte'));
  await upload.write(Buffer.from('1234'), 0);
  await upload.discard();
  expect(await usage(db)).toEqual({ bytes: 0, files: 0, folders: 0 });
  await put('/b', '1234567890');
});

test('an upload in place of a file needs room only for the size difference', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await limit(db, { bytes: 10, files: 1 });
  await put('/a', '12345678');
  await put('/a', '1234567890');
  await expect(put('/a', '12345678901')).rejects.toMatchObject(refusedFor('byte'));
  const [one, other] = [await begin(filebox, '/a'), await begin(filebox, '/a')];
  await Promise.all([one.write(Buffer.from('1234567'), 0), other.write(Buffer.from('123456789'), 0)]);
  await Promise.all([one.commit(), other.commit()]);
  await put('/a', '123');
  expect(await usage(db)).toEqual({ bytes: 3, files: 1, folders: 0 });
});

test('if the file to replace is removed, the upload is refused rather than the limit exceeded', async () => {
  const { filebox, db, put, get } = await openTestFilebox();
  await limit(db, { bytes: 10 });
  await put('/a', '12345678');
  const upload = await begin(filebox, '/a');
  await upload.write(Buffer.from('1234567890'), 0);
  await filebox.deleteFile(vfsId, at('/a'), { origin });
  await put('/b', '12345678');
  await expect(upload.commit()).rejects.toMatchObject(refusedFor('byte'));
  expect(await usage(db)).toEqual({ bytes: 8, files: 1, folders: 0 });
  expect(await get('/a')).toBeUndefined();
});

test('a suspended upload counts with its size, until it is resumed, deleted or swept', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await limit(db, { bytes: 3_000_000 });
  const upload = await begin(filebox, '/a', { resumable: true });
  await upload.write(Buffer.alloc(1_000), 0);
  await upload.suspend();
  expect(await usage(db)).toEqual({ bytes: 1_000, files: 1, folders: 0 });
  const resumed = await begin(filebox, '/a', { resumable: true, resume: true });
  await expect(resumed.write(Buffer.alloc(3_000_000), 1_000)).rejects.toMatchObject(refusedFor('byte'));
  await resumed[Symbol.asyncDispose]();
  expect(await usage(db)).toEqual({ bytes: 0, files: 0, folders: 0 });
  const again = await begin(filebox, '/a', { resumable: true });
  await again.write(Buffer.alloc(2_000), 0);
  await again.suspend();
  // A new upload of the name discards the suspended one, and may take its room.
  await (await begin(filebox, '/a', { resumable: true, expectedBytes: { atLeast: 3e6, atMost: 3e6 } })).discard();
  expect(await usage(db)).toEqual({ bytes: 0, files: 0, folders: 0 });
  await put('/a', 'whole');
});

test('the numbers of files and folders are limited, whatever creates them', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await limit(db, { files: 2, folders: 2 });
  const makeFolder = (path: string) => filebox.createFolder(vfsId, at(path), { origin });
  await put('/a', '1');
  const upload = await begin(filebox, '/b');
  await expect(put('/c', '1')).rejects.toMatchObject(refusedFor('file'));
  await upload.discard();
  await put('/c', '1');
  await makeFolder('/x');
  await makeFolder('/x/y');
  await expect(makeFolder('/z')).rejects.toMatchObject({
    ...refusedFor('folder'),
    message: 'The virtual file system may hold 2 folders at most',
  });
  await expect(filebox.ensureFolders(vfsId, [at('/x/y/z')])).rejects.toMatchObject(refusedFor('folder'));
  await filebox.rename(vfsId, at('/c'), at('/x/y/c'), { origin, overwrite: false });
  await filebox.rename(vfsId, at('/a'), at('/x/y/c'), { origin, overwrite: true });
  expect(await usage(db)).toEqual({ bytes: 1, files: 1, folders: 2 });
  await filebox.deleteFolder(vfsId, at('/x'), { origin, recursive: true });
  expect(await usage(db)).toEqual({ bytes: 0, files: 0, folders: 0 });
});

test('folders are nested no deeper than the limit, whether created or moved', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [at('/deep/b/c/d'), at('/x/y')]);
  await limit(db, { depth: 3 });
  const move = (from: string, to: string) => filebox.rename(vfsId, at(from), at(to), { origin, overwrite: false });
  await filebox.createFolder(vfsId, at('/x/y/z'), { origin });
  await put('/x/y/z/file', '1');
  const refusal = { ...refusedFor('depth'), message: 'Folders may be nested 3 deep at most' };
  await expect(filebox.createFolder(vfsId, at('/x/y/z/w'), { origin })).rejects.toMatchObject(refusal);
  await filebox.createFolder(vfsId, at('/n'), { origin });
  await expect(move('/x', '/n/x')).rejects.toMatchObject(refusal);
  await move('/x/y', '/n/y');
  // An entry that is too deep since before the limit may be renamed, and moved up.
  await move('/deep/b/c/d', '/deep/b/c/e');
  await move('/deep/b/c', '/deep/c');
  await move('/n/y', '/x/y');
});

test('a folder cannot be created below another one while that moves down beyond the limit', async () => {
  const { filebox, db } = await openTestFilebox();
  await limit(db, { depth: 3 });
  for (let round = 0; round < 8; round += 1) {
    const [top, down] = [`/top${round}`, `/down${round}`];
    await filebox.ensureFolders(vfsId, [at(top), at(`${down}/2`)]);
    const outcomes = await Promise.allSettled([
      filebox.createFolder(vfsId, at(`${top}/below`), { origin }),
      filebox.rename(vfsId, at(top), at(`${down}/2/3`), { origin, overwrite: false }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  }
});

test('limits that are set later count everything that exists, can be changed at any time, and only refuse additions', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [at('/x/y')]);
  await put('/x/a', '12345');
  await put('/x/y/b', '123');
  const interrupted = await begin(filebox, '/x/c', { resumable: true });
  await interrupted.write(Buffer.from('12'), 0);
  await interrupted.suspend();
  const running = await begin(filebox, '/x/d', { resumable: true });
  await running.write(Buffer.from('1234'), 0);
  expect(await usage(db)).toBeUndefined();
  await limit(db, { bytes: 8, files: 3 });
  expect(await usage(db)).toEqual({ bytes: 10, files: 4, folders: 2 });
  await put('/x/a', '1234');
  await expect(put('/x/y/b', '1234')).rejects.toMatchObject(refusedFor('byte'));
  await expect(put('/e', '')).rejects.toMatchObject(refusedFor('file'));
  await expect(running.commit()).rejects.toMatchObject({ code: /byte|file/u });
  await limit(db, { bytes: 12 });
  expect(await usage(db)).toEqual({ bytes: 9, files: 3, folders: 2 });
  await put('/e', '123');
  await limit(db, undefined);
  await put('/f', '12345');
  expect(await usage(db)).toBeUndefined();
  await limit(db, { folders: 2 });
  expect(await usage(db)).toEqual(await recount(db));
});

test('reports how much room is left, of the limits and of the disk', async () => {
  const { filebox, db, put } = await openTestFilebox();
  const unlimited = await filebox.space(vfsId);
  expect(unlimited.entries).toBeUndefined();
  await limit(db, { files: 5 });
  await put('/a', '1234');
  expect(await filebox.space(vfsId)).toMatchObject({
    bytes: { total: unlimited.bytes?.total },
    entries: { total: 5, free: 4 },
  });
  await limit(db, { bytes: 10, files: 5, folders: 7 });
  expect(await filebox.space(vfsId)).toEqual({ bytes: { total: 10, free: 6 }, entries: { total: 12, free: 11 } });
  await limit(db, { bytes: 2 });
  expect(await filebox.space(vfsId)).toEqual({ bytes: { total: 2, free: 0 } });
});

test('a copy that shares its bytes counts in full, and is refused before its commit if it does not fit', async () => {
  const { filebox, db, put, get } = await openTestFilebox();
  await limit(db, { bytes: 12 });
  await put('/a', '12345');
  const copy = async (to: string) => {
    await using source = await filebox.openDownload(vfsId, at('/a'), { origin });
    await using upload = await begin(filebox, to);
    await upload.copyFrom(source);
    expect(await usage(db)).toMatchObject({ bytes: 10, files: 2 });
    return await upload.commit();
  };
  await copy('/b');
  await expect(copy('/c')).rejects.toMatchObject(refusedFor('byte'));
  expect(await usage(db)).toEqual({ bytes: 10, files: 2, folders: 0 });
  expect(await get('/b')).toBe('12345');
});

test('an upload by id keeps its reservation between its requests', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await limit(db, { bytes: 10 });
  const place = { vfsId, path: at('/a'), keptUntil: new Date(Date.now() + 60_000), overwrite: true };
  const expectedBytes = { atLeast: 8, atMost: 8 };
  const id = await filebox.uploadsById.begin({ ...place, userName: acme.userName, expectedBytes });
  const first = await filebox.uploadsById.resume(id, { ...place, origin, expectedBytes });
  await first.write(Buffer.from('1234'), 0);
  await first.suspend();
  expect(await usage(db)).toEqual({ bytes: 8, files: 1, folders: 0 });
  await expect(put('/b', '123')).rejects.toMatchObject(refusedFor('byte'));
  await expect(filebox.uploadsById.begin({ ...place, userName: acme.userName, expectedBytes })).rejects.toMatchObject(
    refusedFor('byte'),
  );
  const second = await filebox.uploadsById.resume(id, { ...place, origin, expectedBytes });
  await second.write(Buffer.from('5678'), 4);
  await second.commit();
  expect(await usage(db)).toEqual({ bytes: 8, files: 1, folders: 0 });
  const given = await filebox.uploadsById.begin({
    ...place,
    path: at('/b'),
    userName: acme.userName,
    expectedBytes: { atLeast: 2, atMost: 2 },
  });
  await filebox.uploadsById.discard(given);
  expect(await usage(db)).toEqual(await recount(db));
});
