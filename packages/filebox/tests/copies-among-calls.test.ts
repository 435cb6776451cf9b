import { readdir, readlink } from 'node:fs/promises';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;
const options = { origin: acme, overwrite: true } as const;

/** How often this process has the blob of a file open. */
async function openReaders(blobId: string): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.includes(blobId)).length;
}

test('a write that is called while a file is copied takes effect after the copy', async () => {
  const box = await openTestFilebox();
  await box.put('/a', '0123456789');
  await using download = await box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const upload = await box.filebox.beginUpload(vfsId, at('/b'), options);
  await Promise.all([upload.copyFrom(download), upload.write(Buffer.from('XX'), 4)]);
  await upload.commit();
  expect(await box.get('/b')).toBe('0123XX6789');
});

test('a commit that is called while a file is copied commits the copy', async () => {
  const box = await openTestFilebox();
  const { blobId } = await box.put('/a', '0123456789');
  await using download = await box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const upload = await box.filebox.beginUpload(vfsId, at('/b'), options);
  const [, file] = await Promise.all([upload.copyFrom(download), upload.commit()]);
  expect(file).toMatchObject({ size: 10, blobId });
  expect(await box.get('/b')).toBe('0123456789');
  expect(await openReaders(blobId)).toBe(1);
});

test('a suspension that is called while a file is copied keeps the copy, and a discard leaves no file open', async () => {
  const box = await openTestFilebox();
  const { blobId } = await box.put('/a', '0123456789');
  await using download = await box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const kept = await box.filebox.beginUpload(vfsId, at('/b'), { ...options, resumable: true });
  await Promise.all([kept.copyFrom(download), kept.suspend()]);
  const resumed = await box.filebox.beginUpload(vfsId, at('/b'), { ...options, resumable: true, resume: true });
  expect(String(await resumed.read(0, 100))).toBe('0123456789');
  await resumed.discard();
  const dropped = await box.filebox.beginUpload(vfsId, at('/c'), options);
  await Promise.all([dropped.copyFrom(download), dropped.discard()]);
  expect(await openReaders(blobId)).toBe(1);
});

test('a discard that is called while a file is copied over a resumed upload discards both', async () => {
  const box = await openTestFilebox();
  await box.put('/a', '0123456789');
  await using download = await box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  const begun = await box.filebox.beginUpload(vfsId, at('/b'), { ...options, resumable: true });
  await begun.write(Buffer.from('begun'), 0);
  await begun.suspend();
  const resumed = await box.filebox.beginUpload(vfsId, at('/b'), { ...options, resumable: true, resume: true });
  await Promise.all([resumed.copyFrom(download), resumed.discard()]);
  const next = await box.filebox.beginUpload(vfsId, at('/b'), { ...options, resumable: true, resume: true });
  expect(next.size()).toBe(0);
  await next.discard();
});
