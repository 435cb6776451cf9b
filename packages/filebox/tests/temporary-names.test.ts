import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;
const temporary = at('/inbox/a.csv.part');
const final = at('/inbox/a.csv');

async function openWithInbox() {
  const box = await openTestFilebox({ temporaryNames: ['*.part'] });
  await box.filebox.ensureFolders(vfsId, [at('/inbox')]);
  const rename = (from: typeof final, to: typeof final, options: { overwrite?: boolean } = {}) =>
    box.filebox.rename(vfsId, from, to, { origin: acme, overwrite: false, ...options });
  return { ...box, rename };
}

test('a file with a temporary name starts nothing, and is announced once under its final name', async () => {
  const { put, rename, fileEvents, audits } = await openWithInbox();
  await put(temporary, 'x');
  expect(await fileEvents()).toEqual([]);
  expect((await audits()).map(({ auditOperation }) => auditOperation)).toEqual(['SERVER_UPLOAD_FILE']);
  const renamed = await rename(temporary, final);
  const [event, ...others] = await fileEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ kind: 'stored', path: final, fileset: renamed.entry?.id, size: '1', byTransfer: true });
  expect(event?.dfic).toMatchObject({
    original_filename: 'a.csv',
    'original_actor-filename': 'a.csv',
    'original_actor-path': '/inbox/a.csv',
    original_virtualpath: '/inbox',
  });
  expect(renamed.entry).toMatchObject({ dfic: event?.dfic });
});

test('it is not announced again, whatever its later names', async () => {
  const { put, rename, fileEvents } = await openWithInbox();
  await put(temporary, 'x');
  await rename(temporary, final);
  await rename(final, temporary);
  await rename(temporary, at('/inbox/b.csv'));
  expect(await fileEvents()).toHaveLength(1);
});

test('a rename from one temporary name to another announces nothing', async () => {
  const { put, rename, fileEvents } = await openWithInbox();
  await put(temporary, 'x');
  await rename(temporary, at('/inbox/b.part'));
  expect(await fileEvents()).toEqual([]);
  await rename(at('/inbox/b.part'), final);
  expect(await fileEvents()).toHaveLength(1);
});

test('a rename that replaces a file is announced once', async () => {
  const { put, rename, fileEvents, get } = await openWithInbox();
  await put(final, 'old');
  await put(temporary, 'new');
  await rename(temporary, final, { overwrite: true });
  expect((await fileEvents()).map(({ size, path }) => [size, path])).toEqual([
    ['3', final],
    ['3', final],
  ]);
  expect(await get(final)).toBe('new');
});

test('a file that was announced when it was stored is not announced by a rename', async () => {
  const { put, rename, fileEvents } = await openWithInbox();
  await put(at('/inbox/a.partly'), 'x');
  await rename(at('/inbox/a.partly'), final);
  expect((await fileEvents()).map(({ path }) => path)).toEqual([at('/inbox/a.partly')]);
});

test('a file with a temporary name starts nothing by a download or a change of its metadata', async () => {
  const { put, filebox, rename, fileEvents } = await openWithInbox();
  await put(temporary, 'x');
  const take = async (path: typeof final): Promise<void> => {
    await using download = await filebox.openDownload(vfsId, path, { origin: acme });
    await download.complete();
  };
  await take(temporary);
  await filebox.setMetadata(vfsId, temporary, { A: '1' }, { origin: acme });
  expect(await fileEvents()).toEqual([]);
  await rename(temporary, final);
  await take(final);
  await filebox.setMetadata(vfsId, final, { A: '2' }, { origin: acme });
  expect((await fileEvents()).map(({ kind }) => kind)).toEqual(['stored', 'downloaded', 'metadataUpdated']);
});

test('an upload by id is held to the same names as an upload to a path', async () => {
  const { filebox, rename, fileEvents } = await openWithInbox();
  const keptUntil = new Date(Date.now() + 60_000);
  const place = { vfsId, path: temporary, keptUntil };
  const id = await filebox.uploadsById.begin({ ...place, userName: acme.userName, overwrite: false });
  await using upload = await filebox.uploadsById.resume(id, { ...place, origin: acme, overwrite: false });
  await upload.write(Buffer.from('x'), 0);
  await upload.commit();
  expect(await fileEvents()).toEqual([]);
  await rename(temporary, final);
  expect((await fileEvents()).map(({ kind, path }) => [kind, path])).toEqual([['stored', final]]);
});
