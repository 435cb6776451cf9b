import { readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, test } from 'vitest';
import { localBlobLayout } from '../src/blobs/local/local-blob-layout.ts';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import type { FileEntry } from '../src/model/entry.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.csv');

test.each<[string, (blobPath: string, secret: string) => Promise<void>]>([
  ['that is missing', (blobPath) => rm(blobPath)],
  ['that was truncated', (blobPath) => truncate(blobPath, 3)],
  [
    'that was replaced by a symbolic link',
    async (blobPath, secret) => {
      await rm(blobPath);
      await symlink(secret, blobPath);
    },
  ],
])('a blob %s is an error, never other content', async (_, tamper) => {
  const { filebox, put, blobDir } = await openTestFilebox();
  const file: FileEntry = await put('/a.csv', 'hello');
  const secret = join(blobDir, 'secret');
  await writeFile(secret, 'sesam');
  await tamper(localBlobLayout(blobDir).storedPath(file.blobId), secret);
  const opening = filebox.openDownload(vfsId, path, { origin: acme });
  await expect(opening).rejects.toMatchObject({ code: 'content_missing' });
});

test('a symbolic link in place of an unsealed blob is not written through', async () => {
  await using folder = await createTestFolder();
  await using store = await openLocalBlobStore({ dir: folder.path });
  const blobId = '0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77';
  const victim = join(folder.path, 'victim');
  await writeFile(victim, 'untouched');
  await symlink(victim, join(folder.path, 'incoming', blobId));
  await expect(store.create(blobId)).rejects.toThrow('EEXIST');
  await expect(store.resume(blobId)).rejects.toMatchObject({ code: 'content_missing' });
  expect(await readFile(victim, 'utf8')).toBe('untouched');
});

test('a store does not open if one of its folders is a symbolic link', async () => {
  await using folder = await createTestFolder();
  const dir = join(folder.path, 'blobs');
  await using _ = await openLocalBlobStore({ dir });
  await rename(join(dir, 'stored', '00'), join(folder.path, 'elsewhere'));
  await symlink(join(folder.path, 'elsewhere'), join(dir, 'stored', '00'));
  await expect(openLocalBlobStore({ dir })).rejects.toThrow('not a folder');
});
