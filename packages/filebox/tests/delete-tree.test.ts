import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { describe, expect, test } from 'vitest';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { openDeepFile } from './open-deep-file.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { limit, recount, usage } from './vfs-usage.ts';

const at = parseVirtualPath;
const recursively = { origin: acme, recursive: true };

async function openTree() {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, ['/a/b/c', '/a/d', '/keep'].map(at));
  for (const path of ['/a/one', '/a/b/two', '/a/b/c/three', '/keep/four']) await box.put(path, path);
  return box;
}

test('a folder is deleted with its content, and each entry is audited', async () => {
  const { filebox, audits } = await openTree();
  await filebox.deleteFolder(vfsId, at('/a'), recursively);
  expect(await filebox.find(vfsId, at('/a'))).toBeUndefined();
  expect(await filebox.list(vfsId, at('/'))).toMatchObject({ totalCount: 1, entries: [{ name: 'keep' }] });
  expect(await filebox.count(vfsId, at('/keep'))).toBe(1);
  const deletions = (await audits())
    .map(({ auditMessage }) => auditMessage.replace(/ FilesetId \d+$/u, ''))
    .filter((message) => message.includes('delete'));
  expect(deletions.slice(0, 3).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'Server delete file /a/b/c/three',
    'Server delete file /a/b/two',
    'Server delete file /a/one',
  ]);
  expect(deletions.slice(3)).toEqual(
    expect.arrayContaining(['Server delete folder /a/b/c', 'Server delete folder /a/d']),
  );
  expect(deletions.at(-1)).toBe('Server delete folder /a');
  expect(deletions).toHaveLength(7);
});

test('uploads into a folder that is being deleted are either deleted with it or refused; nothing is left over', async () => {
  const { filebox, put } = await openTree();
  const uploads = Array.from({ length: 20 }, (_, index) =>
    put(`/a/b/race-${index}`, 'x').then(
      () => 'stored',
      (error: unknown) => (error as { code?: string }).code,
    ),
  );
  await filebox.deleteFolder(vfsId, at('/a'), recursively);
  for (const outcome of await Promise.all(uploads)) expect(['stored', 'path_not_found']).toContain(outcome);
  expect(await filebox.find(vfsId, at('/a'))).toBeUndefined();
  expect(await filebox.count(vfsId, at('/'))).toBe(1);
});

test('a running upload to a deleted folder is refused with path_not_found, not with an error of the database', async () => {
  const { filebox } = await openTree();
  const uploads = await Promise.all(
    ['/a/open', '/a/b/c/open'].map((path) => filebox.beginUpload(vfsId, at(path), { origin: acme, overwrite: true })),
  );
  await filebox.deleteFolder(vfsId, at('/a'), recursively);
  for (const upload of uploads) {
    const refusal: unknown = await upload.commit().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'path_not_found' });
    expect(refusal).not.toHaveProperty('cause');
  }
});

test('folders that are created in it meanwhile are deleted with it or refused', async () => {
  const { filebox } = await openTree();
  const making = Array.from({ length: 10 }, (_, index) =>
    filebox.createFolder(vfsId, at(`/a/d/new-${index}`), { origin: acme }).catch((error: unknown) => error),
  );
  await filebox.deleteFolder(vfsId, at('/a'), recursively);
  for (const outcome of await Promise.all(making)) {
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'path_not_found' });
  }
  expect(await filebox.count(vfsId, at('/'))).toBe(1);
});

test.each([
  ['the root', '/', 'operation_unsupported'],
  ['a missing folder', '/nope', 'path_not_found'],
  ['a file', '/a/one', 'not_a_folder'],
])('deleting %s recursively is refused', async (_, path, code) => {
  const { filebox } = await openTree();
  await expect(filebox.deleteFolder(vfsId, at(path), recursively)).rejects.toMatchObject({ code });
});

test('a tree is deleted although paths in it have become too long for a request', async () => {
  const box = await openTestFilebox();
  await openDeepFile(box, 'file');
  await box.filebox.deleteFolder(vfsId, at('/base'), recursively);
  expect(await box.filebox.count(vfsId, at('/'))).toBe(0);
  const deletions = (await box.audits()).filter(({ auditMessage }) => auditMessage.startsWith('Server delete'));
  expect(deletions).toHaveLength(1 + 2 * 11);
});

describe('unfinished uploads to a folder that is deleted', () => {
  async function openWithUnfinished() {
    const box = await openTree();
    await limit(box.db, { bytes: 1_000_000 });
    const begin = (path: string) =>
      box.filebox.beginUpload(vfsId, at(path), { origin: acme, overwrite: true, resumable: true });
    for (const path of ['/a/b/partial', '/keep/partial']) {
      const upload = await begin(path);
      await upload.write(Buffer.from('so far'), 0);
      await upload.suspend();
    }
    const place = { vfsId, path: at('/a/staged'), keptUntil: new Date(Date.now() + 3_600_000) };
    const expectedBytes = { atLeast: 5_000, atMost: 5_000 };
    const stagedId = await box.filebox.uploadsById.begin({
      ...place,
      userName: acme.userName,
      overwrite: true,
      expectedBytes,
    });
    return { ...box, begin, stagedId };
  }

  test('are discarded with it: their reservations and their bytes are released', async () => {
    const { filebox, db, heldBlobs, stagedId } = await openWithUnfinished();
    await filebox.deleteFolder(vfsId, at('/a'), recursively);
    const kept = '/keep/four'.length + 'so far'.length;
    expect(await usage(db)).toEqual({ bytes: kept, files: 2, folders: 1 });
    expect(await recount(db)).toEqual(await usage(db));
    expect(await filebox.uploadsById.size(stagedId)).toBeUndefined();
    await expect.poll(async () => (await heldBlobs()).length).toBe(2);
    expect(await filebox.find(vfsId, at('/keep/partial'), { includeUploadOf: acme.userName })).toMatchObject({
      size: 6,
    });
  });

  test('are discarded with an empty folder too', async () => {
    const { filebox, db, begin, heldBlobs } = await openWithUnfinished();
    const [used, held] = [await usage(db), await heldBlobs()];
    const upload = await begin('/a/d/partial');
    await upload.write(Buffer.from('so far'), 0);
    await upload.suspend();
    await filebox.deleteFolder(vfsId, at('/a/d'), { origin: acme });
    expect(await usage(db)).toEqual({ ...used, folders: (used?.folders ?? 0) - 1 });
    await expect.poll(heldBlobs).toEqual(held);
  });

  test('are swept at once if they were held during the deletion', async () => {
    const { filebox, db, begin } = await openWithUnfinished();
    const upload = await begin('/a/b/held');
    await upload.write(Buffer.from('so far'), 0);
    await filebox.deleteFolder(vfsId, at('/a'), recursively);
    expect(await usage(db)).toMatchObject({ files: 3 });
    await upload.suspend();
    expect(await sweepUploads({ db, signal: new AbortController().signal })).toBe(1);
    expect(await usage(db)).toMatchObject({ files: 2 });
    expect(await filebox.find(vfsId, at('/keep/partial'), { includeUploadOf: acme.userName })).toBeDefined();
  });
});
