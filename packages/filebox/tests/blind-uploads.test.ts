import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { Filebox } from '../src/filebox.ts';
import type { UploadOptions } from '../src/model/upload.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { limit, usage } from './vfs-usage.ts';

const refusedFor = (kind: 'byte' | 'file') => ({ code: `${kind}_limit_reached` });

/** Begins an upload for a user who must not learn what is there. */
async function begin(filebox: Filebox, path: string, options: Partial<UploadOptions> = {}) {
  const blind = { origin: acme, overwrite: true, countsAsNew: true };
  return filebox.beginUpload(vfsId, parseVirtualPath(path), { ...blind, ...options });
}

test('for a user who must not learn what is there, an upload that replaces a file needs the room of a new one until it commits', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await put('/a', '12345678');
  await limit(db, { bytes: 16, files: 2 });
  const expectedBytes = { atLeast: 9, atMost: 9 };
  for (const path of ['/a', '/b']) {
    const blind = begin(filebox, path, { expectedBytes });
    await expect(blind).rejects.toMatchObject(refusedFor('byte'));
  }
  const upload = await begin(filebox, '/a');
  await upload.write(Buffer.from('1234'), 0);
  expect(await usage(db)).toMatchObject({ files: 2 });
  await upload.commit();
  expect(await usage(db)).toEqual({ bytes: 4, files: 1, folders: 0 });

  await put('/b', '');
  for (const path of ['/a', '/c']) {
    await expect(begin(filebox, path)).rejects.toMatchObject(refusedFor('file'));
  }
  expect(await usage(db)).toEqual({ bytes: 4, files: 2, folders: 0 });
});
