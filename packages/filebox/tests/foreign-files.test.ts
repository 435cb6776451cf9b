import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { localBlobLayout } from '../src/blobs/local/local-blob-layout.ts';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { sweepOrphans } from '../src/upkeep/sweep-orphans.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { verifyFiles } from '../src/upkeep/verify-files.ts';
import { ageEverything } from './age-everything.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const run = promisify(execFile);
const { signal } = new AbortController();
const at = parseVirtualPath;
const tebibyte = 1024 ** 4;
const idOf = (number: number): string => `0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a${String(number).padStart(2, '0')}`;

async function sweep({ filebox, db, blobDir }: TestFilebox) {
  await filebox[Symbol.asyncDispose]();
  await using store = await openLocalBlobStore({ dir: blobDir });
  return {
    uploads: await sweepUploads({ db, signal }),
    removals: await sweepRemovals({ db, store, signal }),
    orphans: await sweepOrphans({ db, store, signal }),
  };
}

/**
 * Creates entries of every kind beside the blobs, with names of blobs and others, and returns a function that checks
 * that they still exist.
 */
async function strew(blobDir: string) {
  const secret = join(blobDir, '..', 'secret');
  await mkdir(secret);
  await writeFile(join(secret, 'key'), 'secret');
  const folders: [string, string][] = [
    [join(blobDir, 'incoming'), '00'],
    [join(blobDir, 'stored', '10'), '10'],
  ];
  for (const [folder, tail] of folders) {
    const named = (number: number): string => join(folder, `${idOf(number).slice(0, -2)}${tail}`);
    const [linkToFile, linkToFolder, dangling] = [named(1), join(folder, 'link'), join(folder, 'dangling')];
    await symlink(join(secret, 'key'), linkToFile);
    await symlink(secret, linkToFolder);
    await symlink('/nowhere', dangling);
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'folder', 'inside'), 'inside');
    await run('mkfifo', [join(folder, 'pipe')]);
    await writeFile(join(folder, 'huge.bin'), '');
    await truncate(join(folder, 'huge.bin'), tebibyte);
  }
  return async () => {
    expect(await readFile(join(secret, 'key'), 'utf8')).toBe('secret');
    for (const [folder, tail] of folders) {
      expect(await readlink(join(folder, `${idOf(1).slice(0, -2)}${tail}`))).toBe(join(secret, 'key'));
      expect(await readlink(join(folder, 'link'))).toBe(secret);
      expect(await readlink(join(folder, 'dangling'))).toBe('/nowhere');
      expect(await readFile(join(folder, 'folder', 'inside'), 'utf8')).toBe('inside');
      expect((await lstat(join(folder, 'pipe'))).isFIFO()).toBe(true);
      expect((await lstat(join(folder, 'huge.bin'))).size).toBe(tebibyte);
    }
  };
}

test('links, folders, pipes and huge files among the blobs have no effect, and are left unchanged', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  await box.put('/before', 'before');
  const standAsTheyWere = await strew(box.blobDir);

  await box.put('/after', 'after');
  await box.put('/before', 'replaced');
  expect(await box.get('/before')).toBe('replaced');
  const interrupted = await filebox.beginUpload(vfsId, at('/partial'), {
    origin: acme,
    overwrite: true,
    resumable: true,
  });
  await interrupted.write(Buffer.from('part'), 0);
  await interrupted.suspend();
  const names = (await filebox.list(vfsId, at('/'))).entries.map(({ name }) => name);
  expect(names).toEqual(['after', 'before']);
  await filebox.deleteFile(vfsId, at('/after'), { origin: acme });
  // Pending removals are complete before anything is aged.
  await filebox[Symbol.asyncDispose]();
  await ageEverything(box.db, box.blobDir);
  expect(await sweep(box)).toMatchObject({ uploads: 1, orphans: 0 });
  const restarted = await box.openAnother();
  expect((await restarted.list(vfsId, at('/'))).totalCount).toBe(1);
  expect(await box.heldBlobs()).toHaveLength(1);
  await standAsTheyWere();
});

test('a folder in place of a blob is neither opened nor removed, and does not stop other removals', async () => {
  const box = await openTestFilebox();
  const files = [await box.put('/a', 'hello'), await box.put('/b', 'hello')];
  const { storedPath, incomingPath } = localBlobLayout(box.blobDir);
  const [replaced] = files.map(({ blobId }) => storedPath(blobId));
  await rm(replaced ?? '');
  await mkdir(join(replaced ?? '', 'inside'), { recursive: true });
  const opening = box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  await expect(opening).rejects.toMatchObject({ code: 'content_missing' });
  for (const path of ['/a', '/b']) await box.filebox.deleteFile(vfsId, at(path), { origin: acme });
  await sweep(box);
  expect(await box.db('filebox.blob_removals')).toEqual([]);
  expect((await lstat(join(replaced ?? '', 'inside'))).isDirectory()).toBe(true);
  expect(await box.heldBlobs()).toEqual([]);
  await expect(lstat(incomingPath(files[1]?.blobId ?? ''))).rejects.toThrow('ENOENT');
});

test('a huge file in place of a blob is refused at once, without being read', async () => {
  const box = await openTestFilebox();
  const { blobId } = await box.put('/a', 'hello');
  await truncate(localBlobLayout(box.blobDir).storedPath(blobId), tebibyte);
  const opening = box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  await expect(opening).rejects.toMatchObject({ code: 'content_missing' });
  const found: string[] = [];
  const by = { user: 'root', nodeId: 'node1', managerName: 'manager1' };
  const { bytes } = await verifyFiles({
    ...box,
    by,
    concurrency: 1,
    bytesPerSecond: 1,
    onDamaged: ({ problem }) => void found.push(problem),
  });
  expect({ bytes, found }).toEqual({ bytes: 0, found: ['size'] });
});

test('a link in place of a suspended upload is not listed, resumed or written through', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  const victim = join(box.blobDir, 'victim');
  await writeFile(victim, 'untouched');
  const wanted = { origin: acme, overwrite: true, resumable: true };
  const upload = await filebox.beginUpload(vfsId, at('/a'), wanted);
  await upload.write(Buffer.from('part'), 0);
  await upload.suspend();
  const incoming = localBlobLayout(box.blobDir).incomingPath(upload.blobId);
  await rm(incoming);
  await symlink(victim, incoming);
  expect(await filebox.find(vfsId, at('/a'), { includeUploadOf: acme.userName })).toMatchObject({ size: 0 });
  const resumed = await filebox.beginUpload(vfsId, at('/a'), { ...wanted, resume: true });
  expect(resumed.size()).toBe(0);
  await resumed.write(Buffer.from('whole'), 0);
  await resumed.commit();
  expect(await box.get('/a')).toBe('whole');
  expect(await readFile(victim, 'utf8')).toBe('untouched');
});
