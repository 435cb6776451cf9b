import { rm } from 'node:fs/promises';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { localBlobLayout } from '../src/blobs/local/local-blob-layout.ts';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import type { Filebox } from '../src/filebox.ts';
import { setLimits } from '../src/limits/set-limits.ts';
import type { FileEntry } from '../src/model/entry.ts';
import { sweepOrphans } from '../src/upkeep/sweep-orphans.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { ageEverything } from './age-everything.ts';
import { copyFile } from './copy-file.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const { signal } = new AbortController();
const at = parseVirtualPath;

async function remove(filebox: Filebox, path: string) {
  return filebox.deleteFile(vfsId, at(path), { origin: acme });
}

async function sweep({ filebox, db, blobDir }: TestFilebox): Promise<void> {
  await filebox[Symbol.asyncDispose]();
  await using store = await openLocalBlobStore({ dir: blobDir });
  await sweepRemovals({ db, store, signal });
}

test('a copy of a whole file shares the blob, and has a separate name, fileset, audit record and event', async () => {
  const box = await openTestFilebox();
  const source = await box.put('/a', 'hello', { metadata: { own: 'value' } });
  const copy = await copyFile(box.filebox, '/a', '/b');
  expect(copy).toMatchObject({ blobId: source.blobId, sha256: source.sha256, size: 5, metadata: {} });
  expect(copy.fileset).not.toBe(source.fileset);
  expect(await box.get('/b')).toBe('hello');
  expect((await box.fileEvents()).map(({ kind, path }) => [kind, path])).toEqual([
    ['stored', '/a'],
    ['stored', '/b'],
  ]);
  expect((await box.audits()).at(-1)).toMatchObject({
    auditCode: 'AUD0041A',
    entityId: copy.fileset,
    context: { fileSize: 5, fileHash: source.sha256 },
  });
  await sweep(box);
  expect(await box.heldBlobs()).toEqual([source.blobId]);
});

test('a blob is removed with the last file that uses it, however the files are removed', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  await filebox.ensureFolders(vfsId, [at('/folder')]);
  const { blobId } = await box.put('/a', 'hello');
  for (const path of ['/b', '/c', '/folder/d', '/folder/e']) await copyFile(filebox, '/a', path);
  await box.put('/other', 'x');

  await remove(filebox, '/a');
  await box.put('/b', 'replaced');
  await filebox.rename(vfsId, at('/other'), at('/c'), { origin: acme, overwrite: true });
  const last = await copyFile(filebox, '/folder/e', '/last');
  await filebox.deleteFolder(vfsId, at('/folder'), { origin: acme, recursive: true });
  await sweep(box);
  expect(await box.heldBlobs()).toContain(blobId);
  expect(last.blobId).toBe(blobId);
  expect(await box.get('/last')).toBe('hello');
  expect(await box.db('filebox.blob_removals')).toEqual([]);

  await remove(filebox, '/last');
  await sweep(box);
  expect(await box.heldBlobs()).not.toContain(blobId);
  expect(await box.heldBlobs()).toHaveLength(2);
});

test('a file that is copied onto itself or onto a copy of itself keeps its content', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'hello');
  await copyFile(box.filebox, '/a', '/b');
  await copyFile(box.filebox, '/a', '/b');
  await copyFile(box.filebox, '/b', '/b');
  await sweep(box);
  expect(await box.get('/a')).toBe('hello');
  expect(await box.get('/b')).toBe('hello');
  expect(await box.heldBlobs()).toHaveLength(1);
});

test('a write, a truncation or a suspension after a copy separates its bytes', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  await box.put('/a', 'hello');
  const wanted = { origin: acme, overwrite: true, resumable: true };
  const changes: [string, (upload: Awaited<ReturnType<Filebox['beginUpload']>>) => Promise<unknown>, string][] = [
    [
      '/written',
      (upload) => Promise.all([upload.write(Buffer.from('J'), 0), upload.write(Buffer.from('!'), 5)]),
      'Jello!',
    ],
    ['/cut', (upload) => upload.truncate(4), 'hell'],
    ['/read', async (upload) => expect((await upload.read(1, 3)).toString()).toBe('ell'), 'hello'],
    ['/synced', (upload) => upload.sync(), 'hello'],
  ];
  for (const [path, change, content] of changes) {
    await using download = await filebox.openDownload(vfsId, at('/a'), { origin: acme });
    const upload = await filebox.beginUpload(vfsId, at(path), wanted);
    await upload.copyFrom(download);
    expect(upload.size()).toBe(5);
    await change(upload);
    expect((await upload.commit()).blobId).toBe(upload.blobId);
    expect(await box.get(path)).toBe(content);
  }
  await using download = await filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const interrupted = await filebox.beginUpload(vfsId, at('/interrupted'), wanted);
  await interrupted.copyFrom(download);
  await interrupted.suspend();
  const partial = await filebox.find(vfsId, at('/interrupted'), { includeUploadOf: acme.userName });
  expect(partial).toMatchObject({ kind: 'upload', size: 5 });
  expect(await box.get('/a')).toBe('hello');
});

test('a change to a copy does not change the source', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'hello');
  await copyFile(box.filebox, '/a', '/b');
  const upload = await box.filebox.beginUpload(vfsId, at('/b'), { origin: acme, overwrite: true, resume: true });
  await upload.write(Buffer.from('J'), 0);
  await upload.commit();
  expect(await box.get('/a')).toBe('hello');
  expect(await box.get('/b')).toBe('Jello');
});

test('a file that is removed between the copy and its commit is copied all the same', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  const { blobId } = await box.put('/a', 'hello');
  await using download = await filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const upload = await filebox.beginUpload(vfsId, at('/b'), { origin: acme, overwrite: true });
  const late = await filebox.beginUpload(vfsId, at('/c'), { origin: acme, overwrite: true });
  await upload.copyFrom(download);
  await remove(filebox, '/a');
  await rm(localBlobLayout(box.blobDir).storedPath(blobId), { force: true });
  await late.copyFrom(download);
  expect((await upload.commit()).blobId).toBe(upload.blobId);
  expect((await late.commit()).blobId).toBe(late.blobId);
  expect([await box.get('/b'), await box.get('/c')]).toEqual(['hello', 'hello']);
});

test('a copy that is refused or discarded leaves its source unchanged', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  await box.put('/a', 'hello');
  await box.put('/b', 'there');
  await using download = await filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const upload = await filebox.beginUpload(vfsId, at('/c'), { origin: acme, overwrite: false });
  await upload.copyFrom(download);
  await box.put('/c', 'first');
  await expect(upload.commit()).rejects.toMatchObject({ code: 'already_exists' });
  const aborted = await filebox.beginUpload(vfsId, at('/d'), { origin: acme, overwrite: true });
  await aborted.copyFrom(download);
  await aborted.discard();
  await sweep(box);
  expect(await box.get('/a')).toBe('hello');
  expect(await box.get('/c')).toBe('first');
  expect(await box.heldBlobs()).toHaveLength(3);
});

test('a copy counts in full for the limits of a VFS, and is refused if there is no room for it', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'hello');
  await box.db.transaction((trx) => setLimits(trx, { vfsId, name: 'acme-files', limits: { bytes: 12 } }));
  await copyFile(box.filebox, '/a', '/b');
  await expect(copyFile(box.filebox, '/a', '/c')).rejects.toMatchObject({ code: 'byte_limit_reached' });
  expect(await box.filebox.find(vfsId, at('/c'))).toBeUndefined();
  await remove(box.filebox, '/a');
  expect(await copyFile(box.filebox, '/b', '/c')).toMatchObject({ size: 5 });
  expect(await box.get('/b')).toBe('hello');
});

test('with any number of copies, replacements and deletions at once, no file loses its content and no blob outlives its files', async () => {
  const box = await openTestFilebox();
  const others = [box.filebox, await box.openAnother(), await box.openAnother()];
  const names = Array.from({ length: 8 }, (_, index) => `/f${index}`);
  for (const name of names) await box.put(name, `content of ${name}`);
  const { db, blobDir } = box;
  await using store = await openLocalBlobStore({ dir: blobDir });
  const working = new AbortController();
  const sweeping = (async () => {
    while (!working.signal.aborted) await sweepRemovals({ db, store, signal });
  })();
  const pick = () => names[Math.floor(Math.random() * names.length)] ?? '/f0';
  const expected = new Set(['file_not_found', 'content_missing']);
  const work = async (filebox: Filebox) => {
    for (let step = 0; step < 40; step += 1) {
      const [from, to, gone] = [pick(), pick(), pick()];
      const act = step % 4 === 3 ? remove(filebox, gone) : copyFile(filebox, from, to);
      await act.catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && expected.has(String(error.code)))) throw error;
      });
    }
  };
  await Promise.all(others.flatMap((filebox) => [work(filebox), work(filebox), work(filebox)]));
  working.abort();
  await sweeping;
  for (const filebox of others) await filebox[Symbol.asyncDispose]();
  await sweepRemovals({ db, store, signal });

  const left: FileEntry[] = [];
  for (const name of names) {
    const entry = await box.filebox.find(vfsId, at(name));
    if (entry?.kind !== 'file') continue;
    left.push(entry);
    expect(await box.get(name)).toMatch(/^content of \/f\d$/u);
    expect((await store.digest(entry.blobId)).toString('hex')).toBe(entry.sha256);
  }
  expect(await box.heldBlobs()).toEqual([...new Set(left.map(({ blobId }) => blobId))].toSorted());
  await ageEverything(db, blobDir);
  expect(await sweepOrphans({ db, store, signal })).toBe(0);
});
