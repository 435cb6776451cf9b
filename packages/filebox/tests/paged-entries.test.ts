import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { Entry } from '../src/model/entry.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;
const inbox = at('/inbox');
const origin = { origin: acme };

test('a page contains all columns of each entry, with times in their final form', async () => {
  const { filebox, db, put } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [inbox, at('/inbox/sub')]);
  await put('/inbox/a', 'content', { metadata: { 'SPFB_SP2_FILE_SYS_MD.DESCRIPTION': 'of "March"' } });
  for (const time of ['2026-03-02 08:15:30.999999+00', '2026-03-02 08:15:30+00', '2026-03-02 08:15:30.05+01']) {
    await db.raw('UPDATE filebox.entries SET modified_at = :time, created_at = :time WHERE name IN (:file, :folder)', {
      time,
      file: 'a',
      folder: 'sub',
    });
    const [file, folder] = await Promise.all([
      filebox.find(vfsId, at('/inbox/a')),
      filebox.find(vfsId, at('/inbox/sub')),
    ]);
    if (file?.kind !== 'file' || folder?.kind !== 'folder') throw new Error('they are not there');
    const of = ({ name, owner, createdAt, modifiedAt }: Entry) => ({
      name,
      owner,
      createdAt: createdAt.toISOString(),
      modifiedAt: modifiedAt.toISOString(),
    });
    const { fileset, mediaType, systemMetadata } = file;
    const { entries } = await filebox.list(vfsId, inbox);
    expect(entries).toEqual([
      {
        ...of(file),
        kind: 'file',
        fileset,
        size: '7',
        mediaType,
        putAt: file.putAt.toISOString(),
        firstReadAt: undefined,
        lastReadAt: undefined,
        systemMetadata,
      },
      { ...of(folder), kind: 'folder' },
    ]);
    expect(systemMetadata).toEqual({ DESCRIPTION: 'of "March"' });
  }
});

test('a page contains the read times of a file', async () => {
  const { filebox, put } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [inbox]);
  await put('/inbox/a', 'content');
  await using download = await filebox.openDownload(vfsId, at('/inbox/a'), origin);
  await download.complete();
  const file = await filebox.find(vfsId, at('/inbox/a'));
  if (file?.kind !== 'file' || file.firstReadAt === undefined) throw new Error('it was not read');
  const readAt = file.firstReadAt.toISOString();
  const { entries } = await filebox.list(vfsId, inbox);
  expect(entries).toEqual([expect.objectContaining({ firstReadAt: readAt, lastReadAt: readAt })]);
});

test('a folder that replaces another is listed from then on', async () => {
  const { filebox, put } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [inbox, at('/other')]);
  await put('/inbox/a', 'x');
  await put('/other/b', 'x');
  await put('/other/c', 'x');
  const namesOf = async () => (await filebox.list(vfsId, inbox)).entries.map(({ name }) => name);
  expect([await namesOf(), await filebox.count(vfsId, inbox)]).toEqual([['a'], 1]);
  await filebox.rename(vfsId, inbox, at('/elsewhere'), { ...origin, overwrite: false });
  await expect(filebox.list(vfsId, inbox)).rejects.toMatchObject({ code: 'path_not_found' });
  await expect(filebox.count(vfsId, inbox)).rejects.toMatchObject({ code: 'path_not_found' });
  expect(await filebox.count(vfsId, at('/elsewhere'))).toBe(1);
  await filebox.rename(vfsId, at('/other'), inbox, { ...origin, overwrite: false });
  expect([await namesOf(), await filebox.count(vfsId, inbox)]).toEqual([['b', 'c'], 2]);
});
