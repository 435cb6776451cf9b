import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.bin');

async function beginIn({ filebox }: Awaited<ReturnType<typeof openTestFilebox>>, resume = false) {
  return filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true, resumable: true, resume });
}

test('an upload reads back what was written before, including bytes that are not on disk yet', async () => {
  await using upload = await beginIn(await openTestFilebox());
  const written = [upload.write(Buffer.from('hello '), 0), upload.write(Buffer.from('world'), 6)];
  const read = await upload.read(3, 5);
  expect(read.toString()).toBe('lo wo');
  await Promise.all(written);
});

test('an upload has no bytes beyond its end, and zeros in its gaps', async () => {
  await using upload = await beginIn(await openTestFilebox());
  await upload.write(Buffer.from('x'), 4);
  expect(await upload.read(0, 100)).toEqual(Buffer.from('\0\0\0\0x'));
  expect(await upload.read(5, 100)).toHaveLength(0);
  expect(await upload.read(1_000, 100)).toHaveLength(0);
  await upload.truncate(2);
  expect(await upload.read(0, 100)).toEqual(Buffer.from('\0\0'));
});

test('a copy of a file reads as the file with its changes; the file is unchanged until the commit', async () => {
  const box = await openTestFilebox();
  await box.put(path, 'one two three');
  await using upload = await beginIn(box, true);
  await upload.write(Buffer.from('TWO'), 4);
  expect((await upload.read(0, 100)).toString()).toBe('one TWO three');
  expect(await box.get(path)).toBe('one two three');
  await upload.commit();
  expect(await box.get(path)).toBe('one TWO three');
});

test('an upload that has ended cannot be read', async () => {
  const upload = await beginIn(await openTestFilebox());
  await upload.write(Buffer.from('x'), 0);
  await upload.commit();
  await expect(upload.read(0, 1)).rejects.toMatchObject({ code: 'upload_incomplete' });
});
