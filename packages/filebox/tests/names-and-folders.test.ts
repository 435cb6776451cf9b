import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { ensureManyFolders } from '../src/entries/ensure-folders.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;
const origin = { origin: acme };

async function openWith(...folders: string[]) {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, folders.map(at));
  return box;
}

test('folders of the configuration are created with their ancestors, and only once', async () => {
  const { filebox, audits } = await openTestFilebox();
  expect(await filebox.ensureFolders(vfsId, [at('/a/b'), at('/a/c'), at('/')])).toEqual(['/a', '/a/b', '/a/c']);
  expect(await filebox.ensureFolders(vfsId, [at('/a/b'), at('/a/d')])).toEqual(['/a/d']);
  expect(await audits()).toEqual([]);
});

test('a folder of the configuration does not replace a file', async () => {
  const { filebox, put } = await openWith('/a');
  await put('/a/b', 'x');
  await expect(filebox.ensureFolders(vfsId, [at('/a/b/c')])).rejects.toMatchObject({ code: 'not_a_folder' });
});

test('folders of many VFSs are created together, and only once', async () => {
  const { db, filebox } = await openTestFilebox();
  const ids = Array.from({ length: 450 }, (_, number) => `many-${number}`);
  const wanted = ids.map((id) => ({ vfsId: id, paths: [at('/a/b'), at('/c'), at('/')] }));
  const made = await ensureManyFolders(db, [...wanted, { vfsId: 'empty', paths: [] }]);
  expect([...made.keys()]).toEqual([...ids, 'empty']);
  for (const id of ids) expect(made.get(id)?.toSorted()).toEqual(['/a', '/a/b', '/c']);
  expect(await filebox.find('many-449', at('/a/b'))).toMatchObject({ kind: 'folder' });
  expect(await filebox.find('empty', at('/'))).toMatchObject({ kind: 'folder' });
  expect([...(await ensureManyFolders(db, wanted)).values()].flat()).toEqual([]);
  expect(await ensureManyFolders(db, [])).toEqual(new Map());
});

test('a VFS where a file has the name of a folder is left out, and keeps its file', async () => {
  const { db, filebox, put, get } = await openWith('/a');
  await put('/a/b', 'x');
  const made = await ensureManyFolders(db, [
    { vfsId: 'other', paths: [at('/new')] },
    { vfsId, paths: [at('/a/b/c')] },
  ]);
  expect(made).toEqual(new Map());
  expect(await filebox.ensureFolders('other', [at('/new')])).toEqual(['/new']);
  expect(await get('/a/b')).toBe('x');
});

test('every VFS has a root, and sees only its own entries', async () => {
  const { filebox, put } = await openWith('/a');
  await put('/a/x', 'x');
  expect(await filebox.find('another-vfs', at('/'))).toMatchObject({ kind: 'folder', path: '/', name: '' });
  expect(await filebox.find('another-vfs', at('/a'))).toBeUndefined();
  expect(await filebox.list('another-vfs', at('/'))).toEqual({ entries: [], totalCount: 0 });
});

test('a new folder has its creator as owner and is audited', async () => {
  const { filebox, audits } = await openWith('/a');
  const folder = await filebox.createFolder(vfsId, at('/a/new'), origin);
  expect(folder).toMatchObject({ kind: 'folder', path: '/a/new', owner: 'acme' });
  expect(await audits()).toEqual([
    expect.objectContaining({ auditOperation: 'SERVER_CREATE_DIR', auditMessage: 'Server create folder /a/new' }),
  ]);
});

test.each([
  ['that exists', '/a', 'already_exists'],
  ['in place of a file', '/a/file', 'already_exists'],
  ['at the root', '/', 'already_exists'],
  ['in a missing folder', '/nope/b', 'path_not_found'],
  ['in a file', '/a/file/b', 'path_not_found'],
])('a folder %s is refused', async (_, path, code) => {
  const { filebox, put } = await openWith('/a');
  await put('/a/file', 'x');
  await expect(filebox.createFolder(vfsId, at(path), origin)).rejects.toMatchObject({ code });
});

test('an empty folder is deleted and audited; a folder with content stays', async () => {
  const { filebox, put, audits } = await openWith('/a/b');
  await put('/a/b/file', 'x');
  await expect(filebox.deleteFolder(vfsId, at('/a/b'), origin)).rejects.toMatchObject({ code: 'folder_not_empty' });
  await filebox.deleteFile(vfsId, at('/a/b/file'), origin);
  await filebox.deleteFolder(vfsId, at('/a/b'), origin);
  expect(await filebox.find(vfsId, at('/a/b'))).toBeUndefined();
  expect((await audits()).map(({ auditMessage }) => auditMessage)).toEqual([
    expect.stringMatching('upload'),
    expect.stringMatching(/^Server delete file \/a\/b\/file FilesetId \d+$/u),
    'Server delete folder /a/b',
  ]);
});

test.each([
  ['the root', '/', 'operation_unsupported'],
  ['a missing folder', '/nope', 'path_not_found'],
  ['a file', '/a/file', 'not_a_folder'],
])('deleting %s as a folder is refused', async (_, path, code) => {
  const { filebox, put } = await openWith('/a');
  await put('/a/file', 'x');
  await expect(filebox.deleteFolder(vfsId, at(path), origin)).rejects.toMatchObject({ code });
});

test.each([
  ['a missing file', '/a/nope', 'file_not_found'],
  ['a file in a missing folder', '/nope/x', 'path_not_found'],
  ['a folder', '/a', 'not_a_file'],
  ['the root', '/', 'not_a_file'],
])('deleting %s as a file is refused', async (_, path, code) => {
  const { filebox } = await openWith('/a');
  await expect(filebox.deleteFile(vfsId, at(path), origin)).rejects.toMatchObject({ code });
});

test('a deleted file is removed with its bytes', async () => {
  const { filebox, put, heldBlobs, db } = await openWith('/a');
  const { fileset } = await put('/a/file', 'x');
  expect(await filebox.deleteFile(vfsId, at('/a/file'), origin)).toMatchObject({ file: { fileset } });
  expect(await filebox.find(vfsId, at('/a/file'))).toBeUndefined();
  await filebox[Symbol.asyncDispose]();
  expect(await heldBlobs()).toEqual([]);
  expect(await db('filebox.blob_removals')).toEqual([]);
});

test('a renamed file keeps its fileset, its bytes and its dataflow, and is audited', async () => {
  const { filebox, put, get, audits } = await openWith('/a', '/b');
  const file = await put('/a/one', 'x');
  const { entry: renamed } = await filebox.rename(vfsId, at('/a/one'), at('/b/two'), { ...origin, overwrite: false });
  expect(renamed).toEqual({ ...file, path: '/b/two', name: 'two' });
  expect(await get('/b/two')).toBe('x');
  expect(await get('/a/one')).toBeUndefined();
  expect((await audits()).at(-1)).toMatchObject({
    auditCode: 'AUD0040A',
    auditMessage: `Server rename file from /a/one FilesetId ${file.fileset} to /b/two FilesetId ${file.fileset}`,
    dfiid: file.dfic.dfiid,
  });
});

test('a moved folder keeps its content', async () => {
  const { filebox, put, get, audits } = await openWith('/a/b/c', '/d');
  await put('/a/b/c/file', 'x');
  await filebox.rename(vfsId, at('/a/b'), at('/d/e'), { ...origin, overwrite: false });
  expect(await get('/d/e/c/file')).toBe('x');
  expect(await filebox.count(vfsId, at('/a'))).toBe(0);
  expect(await filebox.count(vfsId, at('/d'))).toBe(1);
  expect((await audits()).at(-1)).toMatchObject({ auditMessage: 'Server rename folder from /a/b to /d/e' });
});

test('a file is committed where its folder was moved to meanwhile, and its messages have the new path', async () => {
  const { filebox, get, audits, fileEvents } = await openWith('/a');
  const upload = await filebox.beginUpload(vfsId, at('/a/file'), { ...origin, overwrite: true });
  await upload.write(Buffer.from('hello'), 0);
  await filebox.rename(vfsId, at('/a'), at('/b'), { ...origin, overwrite: false });
  expect(await upload.commit()).toMatchObject({ path: '/b/file' });
  expect(await get('/b/file')).toBe('hello');
  expect((await audits()).at(-1)).toMatchObject({ entityName: '/b/file' });
  expect(await fileEvents()).toMatchObject([{ path: '/b/file' }]);
});

test('renaming replaces a file only if overwrite is set, and removes the replaced one', async () => {
  const { filebox, put, get, heldBlobs } = await openWith('/a');
  const one = await put('/a/one', '1');
  await put('/a/two', '2');
  const rename = (overwrite: boolean) => filebox.rename(vfsId, at('/a/one'), at('/a/two'), { ...origin, overwrite });
  await expect(rename(false)).rejects.toMatchObject({ code: 'already_exists' });
  await rename(true);
  expect(await get('/a/two')).toBe('1');
  expect(await filebox.count(vfsId, at('/a'))).toBe(1);
  await filebox[Symbol.asyncDispose]();
  expect(await heldBlobs()).toEqual([one.blobId]);
});

test('renaming an entry to itself changes nothing and is not audited', async () => {
  const { filebox, put, audits } = await openWith('/a');
  const file = await put('/a/one', '1');
  const rename = filebox.rename(vfsId, at('/a/one'), at('/a/one'), { ...origin, overwrite: false });
  expect(await rename).toEqual({ entry: file, moved: [], removed: [] });
  expect(await audits()).toHaveLength(1);
});

test.each([
  ['a missing file', '/a/nope', '/a/x', 'file_not_found'],
  ['out of a missing folder', '/nope/x', '/a/x', 'path_not_found'],
  ['into a missing folder', '/a/file', '/nope/x', 'path_not_found'],
  ['into a file', '/a/file', '/a/other/x', 'path_not_found'],
  ['the root', '/', '/x', 'operation_unsupported'],
  ['onto the root', '/a', '/', 'operation_unsupported'],
  ['a folder into itself', '/a', '/a/b/x', 'path_invalid'],
  ['a file onto a folder', '/a/file', '/a/b', 'already_exists'],
  ['a folder onto a file', '/a/b', '/a/file', 'already_exists'],
  ['a folder onto a folder', '/a/b', '/c', 'already_exists'],
])('renaming %s is refused', async (_, from, to, code) => {
  const { filebox, put } = await openWith('/a/b', '/c');
  await put('/a/file', 'x');
  await put('/a/other', 'x');
  const rename = filebox.rename(vfsId, at(from), at(to), { ...origin, overwrite: true });
  await expect(rename).rejects.toMatchObject({ code });
});

test('equivalent Unicode compositions of a name are one name', async () => {
  const { put, get, filebox } = await openWith('/a');
  await put('/a/cafe\u0301', '1');
  await put('/a/caf\u00E9', '2');
  expect(await get('/a/cafe\u0301')).toBe('2');
  expect((await filebox.list(vfsId, at('/a'), { pattern: 'cafe\u0301' })).totalCount).toBe(1);
});

test('an upload is committed to the folder it began in, wherever that was moved, and is audited with that path', async () => {
  const { filebox, fileEvents } = await openWith('/a', '/b');
  const upload = await filebox.beginUpload(vfsId, at('/a/file'), { ...origin, overwrite: true });
  await filebox.rename(vfsId, at('/a'), at('/b/moved'), { ...origin, overwrite: false });
  expect(await upload.commit()).toMatchObject({ path: '/b/moved/file' });
  expect(await fileEvents()).toMatchObject([{ path: '/b/moved/file' }]);
});

test('the modification time of a file or folder can be set', async () => {
  const { filebox, put } = await openWith('/a');
  await put('/a/file', 'x');
  const modifiedAt = new Date('2001-02-03T04:05:06Z');
  for (const path of ['/a/file', '/a']) {
    await filebox.setTimes(vfsId, at(path), { modifiedAt });
    expect(await filebox.find(vfsId, at(path))).toMatchObject({ modifiedAt });
  }
  const missing = filebox.setTimes(vfsId, at('/a/nope'), { modifiedAt });
  await expect(missing).rejects.toMatchObject({ code: 'file_not_found' });
});

test.each([
  ['a missing folder', '/missing/file', 'path_not_found'],
  ['the name of a folder', '/folder', 'not_a_file'],
])('an upload to %s is refused at its begin, and leaves nothing on the disk', async (_, path, code) => {
  const { filebox, heldBlobs } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [at('/folder')]);
  const begun = filebox.beginUpload(vfsId, at(path), { ...origin, overwrite: true });
  await expect(begun).rejects.toMatchObject({ code });
  expect(await heldBlobs()).toEqual([]);
});
