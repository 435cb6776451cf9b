import { createHash, randomBytes } from 'node:crypto';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { expect, onTestFinished, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { startLossyProxy } from './start-lossy-proxy.ts';

const path = parseVirtualPath('/inbox/a.csv');
const inbox = parseVirtualPath('/inbox');
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

async function openWithInbox(options: Parameters<typeof openTestFilebox>[0] = {}) {
  const box = await openTestFilebox(options);
  await box.filebox.ensureFolders(vfsId, [inbox]);
  return box;
}

test('a committed upload is a file with its hash, its owner and a new dataflow', async () => {
  const { put, filebox, get } = await openWithInbox();
  const file = await put('/inbox/a.csv', 'hello', { mediaType: 'text/csv', metadata: { colour: 'red' } });
  expect(file).toMatchObject({
    kind: 'file',
    path: '/inbox/a.csv',
    size: 5,
    sha256: sha256('hello'),
    mediaType: 'text/csv',
    owner: 'acme',
    metadata: { colour: 'red' },
    dfic: { original_size: '5', original_vfs: 'acme-files' },
  });
  expect(await filebox.find(vfsId, path)).toEqual(file);
  expect(await get('/inbox/a.csv')).toBe('hello');
});

test('a committed upload is audited and announced, once each, with the dataflow of the file', async () => {
  const { put, audits, fileEvents } = await openWithInbox();
  const { fileset, dfic } = await put('/inbox/a.csv', 'hello');
  expect(await audits()).toEqual([
    expect.objectContaining({
      auditCode: 'AUD0041A',
      auditOperation: 'SERVER_UPLOAD_FILE',
      auditMessage: `Server upload file /inbox/a.csv FilesetId ${fileset}`,
      dataoneUser: 'acme',
      nodeId: 'peer1',
      module: 'manager1 AUDIT',
      entityName: '/inbox/a.csv',
      entityId: fileset,
      dfiid: dfic.dfiid,
      context: { virtualFileSystem: 'acme-files', fileSize: 5, fileHash: sha256('hello') },
    }),
  ]);
  expect(await fileEvents()).toEqual([
    expect.objectContaining({
      kind: 'stored',
      vfsId,
      path,
      fileset,
      size: '5',
      byTransfer: true,
      userName: 'acme',
      dfic,
    }),
  ]);
});

test('a file that a job creates keeps the given dataflow, and is not a transfer', async () => {
  const { put, fileEvents } = await openWithInbox();
  const dfic = { dfiid: 'd', lcid: 'l:0', userAttrs: {} };
  const { dfic: kept } = await put('/inbox/a.csv', 'x', { origin: { ...acme, protocol: undefined, dfic } });
  expect(kept).toEqual(dfic);
  expect(await fileEvents()).toEqual([expect.objectContaining({ byTransfer: false, dfic })]);
});

test('no byte is visible before the commit', async () => {
  const { filebox } = await openWithInbox();
  await using upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('hello'), 0);
  expect(await filebox.find(vfsId, path)).toBeUndefined();
  expect((await filebox.list(vfsId, inbox)).totalCount).toBe(0);
});

test('an empty upload is an empty file', async () => {
  const { filebox, get } = await openWithInbox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  expect(await upload.commit()).toMatchObject({ size: 0, sha256: sha256('') });
  expect(await get('/inbox/a.csv')).toBe('');
});

test('overwriting creates a new fileset and removes the old bytes', async () => {
  const { put, get, heldBlobs, filebox } = await openWithInbox();
  const first = await put('/inbox/a.csv', 'one');
  const second = await put('/inbox/a.csv', 'two');
  expect(second.fileset).not.toBe(first.fileset);
  expect(await get('/inbox/a.csv')).toBe('two');
  await filebox[Symbol.asyncDispose]();
  expect(await heldBlobs()).toEqual([second.blobId]);
});

test('an upload that must not overwrite is refused at its begin, and at its commit if the name was taken since', async () => {
  const { put, get, filebox, heldBlobs } = await openWithInbox();
  const late = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: false });
  await late.write(Buffer.from('late'), 0);
  const { blobId } = await put('/inbox/a.csv', 'early');
  await expect(late.commit()).rejects.toMatchObject({ code: 'already_exists' });
  await expect(put('/inbox/a.csv', 'x', { overwrite: false })).rejects.toMatchObject({ code: 'already_exists' });
  expect(await get('/inbox/a.csv')).toBe('early');
  expect(await heldBlobs()).toEqual([blobId]);
});

test.each([
  ['a missing folder', '/nope/a.csv', 'path_not_found'],
  ['a file as a folder', '/inbox/file/a.csv', 'path_not_found'],
  ['the name of a folder', '/inbox', 'not_a_file'],
  ['the root', '/', 'not_a_file'],
])('an upload to %s is refused before its first byte', async (_, target, code) => {
  const { put, heldBlobs } = await openWithInbox();
  await put('/inbox/file', 'x');
  const before = await heldBlobs();
  await expect(put(target, 'x')).rejects.toMatchObject({ code });
  expect(await heldBlobs()).toEqual(before);
});

test('the first upload to a new VFS needs no folder but its root', async () => {
  const { put } = await openTestFilebox();
  expect(await put('/a.csv', 'x')).toMatchObject({ path: '/a.csv' });
});

test('chunks in any order result in the right bytes and the right hash', async () => {
  const { filebox, get } = await openWithInbox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await Promise.all([
    upload.write(Buffer.from('world'), 6),
    upload.write(Buffer.from('hellO '), 0),
    upload.write(Buffer.from('o'), 4),
  ]);
  expect(upload.size()).toBe(11);
  expect(await upload.commit()).toMatchObject({ size: 11, sha256: sha256('hello world') });
  expect(await get('/inbox/a.csv')).toBe('hello world');
});

test('skipped bytes are zeros, and truncated bytes are gone', async () => {
  const { filebox, get } = await openWithInbox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('abc'), 2);
  await upload.truncate(3);
  await upload.write(Buffer.from('z'), 4);
  expect(await upload.commit()).toMatchObject({ size: 5, sha256: sha256('\0\0a\0z') });
  expect(await get('/inbox/a.csv')).toBe('\0\0a\0z');
});

test('a big upload in many chunks is byte-exact', async () => {
  const { filebox } = await openWithInbox();
  const content = randomBytes(9_000_001);
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  const writes: Promise<void>[] = [];
  for (let offset = 0; offset < content.length; offset += 32_768) {
    writes.push(upload.write(content.subarray(offset, offset + 32_768), offset));
  }
  await Promise.all(writes);
  expect(await upload.commit()).toMatchObject({ size: content.length, sha256: sha256(content) });
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  const parts: Buffer[] = [];
  for await (const part of download.stream()) parts.push(part as Buffer);
  expect(sha256(Buffer.concat(parts))).toBe(sha256(content));
});

test('a few bytes cannot create a file of any size', async () => {
  const { filebox } = await openWithInbox();
  await using upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  for (const refused of [
    upload.write(Buffer.from('x'), 2 ** 31),
    upload.write(Buffer.from('x'), Number.MAX_SAFE_INTEGER),
    upload.truncate(2 ** 40),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: 'operation_unsupported' });
  }
  await upload.write(Buffer.from('x'), 0);
  expect(await upload.commit()).toMatchObject({ size: 1, sha256: sha256('x') });
});

test('a discard, or a disposal without an end, leaves nothing', async () => {
  const { filebox, heldBlobs, db } = await openWithInbox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('x'), 0);
  await upload.discard();
  {
    await using forgotten = await filebox.beginUpload(vfsId, path, {
      origin: acme,
      overwrite: true,
      resumable: true,
    });
    await forgotten.write(Buffer.from('x'), 0);
  }
  expect(await heldBlobs()).toEqual([]);
  expect(await db('filebox.uploads')).toEqual([]);
});

test('an upload that has ended accepts nothing more', async () => {
  const { filebox, get } = await openWithInbox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('x'), 0);
  await upload.commit();
  await expect(upload.write(Buffer.from('y'), 1)).rejects.toMatchObject({ code: 'upload_incomplete' });
  await expect(upload.commit()).rejects.toMatchObject({ code: 'upload_incomplete' });
  await upload.discard();
  expect(await get('/inbox/a.csv')).toBe('x');
});

test('a requested modification time is that of the file', async () => {
  const { filebox } = await openWithInbox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  upload.setModifiedAt(new Date('2001-02-03T04:05:06Z'));
  expect((await upload.commit()).modifiedAt).toEqual(new Date('2001-02-03T04:05:06Z'));
});

test('a failure inside the transaction leaves the old version and no trace of the new one', async () => {
  const { filebox, put, get, heldBlobs, audits } = await openWithInbox();
  const { blobId } = await put('/inbox/a.csv', 'old');
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('new'), 0);
  await expect(upload.commit({ within: () => Promise.reject(new Error('no')) })).rejects.toThrow('no');
  expect(await get('/inbox/a.csv')).toBe('old');
  expect(await heldBlobs()).toEqual([blobId]);
  expect(await audits()).toHaveLength(1);
});

test.each([
  { what: 'of a file alone', lost: 'filebox commit upload', options: {} },
  { what: 'of a file and more', lost: 'COMMIT', options: { within: async () => {} } },
])('a commit $what whose result was lost returns the actual outcome', async ({ lost, options }) => {
  const { filebox: direct, databaseUrl, openAnother, get, heldBlobs, audits } = await openWithInbox();
  const proxy = await startLossyProxy(databaseUrl);
  const db = connectPostgres({ url: proxy.url, applicationName: 'filebox test' });
  onTestFinished(() => db.destroy());
  const filebox = await openAnother({ db });
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('hello'), 0);
  // What became of it is asked on another connection. On a busy machine one that is opened then may come too late.
  await Promise.all(Array.from({ length: 4 }, () => db.raw('SELECT pg_sleep(0.1)')));
  proxy.loseAnswersTo(lost);
  const file = await upload.commit(options);
  expect(await direct.find(vfsId, path)).toEqual(file);
  expect(await get('/inbox/a.csv')).toBe('hello');
  expect(await heldBlobs()).toEqual([file.blobId]);
  expect(await audits()).toHaveLength(1);
});
