import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { countFiles } from '../src/entries/count-files.ts';
import { ensureManyFolders } from '../src/entries/ensure-folders.ts';
import { countDueFiles } from '../src/retention/count-due-files.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const origin = { origin: acme };
/**
 * PostgreSQL plans a prepared statement for its values this many times, then compares the cost with that of a generic
 * plan.
 */
const customPlansAtFirst = 5;
const operations = ['look at places', 'find upload places', 'set times', 'remove folder'].map(
  (name) => `filebox ${name}`,
);

test('the statements of small operations are not planned again at each execution', async () => {
  const { filebox, db } = await openTestFilebox({ poolSize: 1 });
  await filebox.ensureFolders(vfsId, [parseVirtualPath('/in'), parseVirtualPath('/out')]);
  // The cost of a plan depends on the number of rows: a running platform has many uploads.
  await db.raw(
    `INSERT INTO filebox.uploads (blob_id, storage_class, parent_id, name, user_name, resumable, holder, lease_until)
     SELECT gen_random_uuid(), 'local', 0, 'upload ' || n, 'globex', true, gen_random_uuid(), now() + interval '1 hour'
     FROM generate_series(1, 5000) AS n`,
  );
  await db.raw('ANALYZE filebox.uploads');
  for (let index = 0; index < customPlansAtFirst + 10; index += 1) {
    const [path, renamed, moved] = [`/in/${index}`, `/in/${index}.renamed`, `/out/${index}`].map(parseVirtualPath);
    if (!path || !renamed || !moved) throw new Error('three paths were fewer');
    await using upload = await filebox.beginUpload(vfsId, path, { ...origin, overwrite: true, resumable: true });
    await filebox.findUploadPlaces([upload.blobId]);
    await upload.commit();
    await filebox.find(vfsId, path, { includeUploadOf: acme.userName });
    await filebox.setTimes(vfsId, path, { modifiedAt: new Date() });
    await filebox.rename(vfsId, path, renamed, { ...origin, overwrite: false, open: [] });
    await filebox.rename(vfsId, renamed, moved, { ...origin, overwrite: true, open: [] });
    await filebox.deleteFile(vfsId, moved, { ...origin, open: [] });
    await filebox.createFolder(vfsId, path, origin);
    await filebox.deleteFolder(vfsId, path, origin);
  }
  const { rows } = await db.raw<{ rows: { name: string; custom: number }[] }>(
    `SELECT name, custom_plans::int AS custom FROM pg_prepared_statements
     WHERE name LIKE 'filebox %' AND name NOT LIKE '% removals'`,
  );
  const names = rows.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(operations));
  expect(rows.filter(({ custom }) => custom > customPlansAtFirst)).toEqual([]);
});

test('lookups of uploads never read all of them, whatever the table contained when the plan was made', async () => {
  const { filebox, db } = await openTestFilebox({ poolSize: 1 });
  await filebox.ensureFolders(vfsId, [parseVirtualPath('/in')]);
  await db.raw('VACUUM ANALYZE filebox.uploads');
  const path = parseVirtualPath('/in/file');
  await using upload = await filebox.beginUpload(vfsId, path, { ...origin, overwrite: true, resumable: true });
  const scans = async (): Promise<number> => {
    await db.raw('SELECT pg_stat_force_next_flush()');
    const { rows } = await db.raw<{ rows: { scans: number }[] }>(
      `SELECT seq_scan::int AS scans FROM pg_stat_user_tables WHERE schemaname = 'filebox' AND relname = 'uploads'`,
    );
    return rows[0]?.scans ?? Number.NaN;
  };
  const before = await scans();
  for (let index = 0; index < customPlansAtFirst + 5; index += 1) {
    await filebox.findUploadPlaces([upload.blobId]);
    await filebox.find(vfsId, path, { includeUploadOf: acme.userName });
  }
  expect(await scans()).toBe(before);
});

test('folders of many VFSs are made, and their files counted, by index, whatever the tables contained when plans were made', async () => {
  const { db } = await openTestFilebox({ poolSize: 1 });
  const paths = [parseVirtualPath('/in'), parseVirtualPath('/in/deep')];
  const systems = (count: number) => Array.from({ length: count }, (_, at) => ({ vfsId: `vfs${at}`, paths }));
  // PostgreSQL keeps the plans of a table of a single page.
  for (const count of [5, 10, 15]) {
    await ensureManyFolders(db, systems(count));
    await db.raw('ANALYZE filebox.entries');
  }
  const rowsRead = async (): Promise<number> => {
    await db.raw('SELECT pg_stat_force_next_flush()');
    const { rows } = await db.raw<{ rows: { read: number }[] }>(
      `SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE schemaname = 'filebox' AND relname = 'entries'`,
    );
    return rows[0]?.read ?? Number.NaN;
  };
  const before = await rowsRead();
  const many = systems(600);
  const made = await ensureManyFolders(db, many);
  expect([...made.values()].flat()).toHaveLength(2 * 600 - 2 * 15);
  const counted = many.map(({ vfsId: id }) => ({ vfsId: id, hoursAfterPut: 1, hoursAfterGet: 1 }));
  expect(await countFiles(db, [...made.keys()])).toEqual(new Map());
  expect(await countDueFiles(db, counted)).toEqual(new Map());
  expect((await rowsRead()) - before).toBe(0);
});
