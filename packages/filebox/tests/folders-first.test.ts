import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { EntryQuery, EntrySort } from '../src/model/entry-query.ts';
import { openTestFilebox, vfsId } from './open-test-filebox.ts';
import { openWithRows } from './open-with-rows.ts';

const at = parseVirtualPath;
const inbox = at('/inbox');

const sorts: readonly EntrySort[] = ['name', 'size', 'put_date', 'read_date', 'expiry_date'];

test.each(sorts)(
  'folders come before files on all pages by %s, in both directions, each kind in its order',
  async (sort) => {
    const names = Array.from({ length: 1_300 }, (_, index) => `${(index * 7) % 1_300}`);
    const { filebox } = await openWithRows(names);
    const folders = ['zz', '5-folder', 'A', 'hidden'].map((name) => at(`/inbox/${name}`));
    await filebox.ensureFolders(vfsId, folders);
    for (const direction of ['ASC', 'DESC'] as const) {
      for (const filter of [{}, { pattern: '*5*' }, { without: ['hidden', '12', 'nobody'] }, { pattern: 'zz' }]) {
        const listed = async (query: EntryQuery) =>
          filebox.list(vfsId, inbox, { sort, direction, ...filter, ...query });
        const [own, files] = await Promise.all([
          listed({ type: 'folders', limit: 2_000 }),
          listed({ type: 'files', limit: 2_000 }),
        ]);
        const expected = [...own.entries, ...files.entries].map(({ name }) => name);
        for (const [start, limit] of [
          [0, 2_000],
          [0, 2],
          [2, 5],
          [1_001, 40],
          [1_003, 500],
          [1_304, 3],
          [0, 0],
        ] as const) {
          const page = await listed({ foldersFirst: true, start, limit });
          expect(page.entries.map(({ name }) => name)).toEqual(expected.slice(start, start + limit));
          expect(page.totalCount).toBe(expected.length);
        }
      }
    }
    const ofOneKind = await filebox.list(vfsId, inbox, { type: 'files', foldersFirst: true, limit: 3 });
    expect(ofOneKind.entries.every(({ kind }) => kind === 'file')).toBe(true);
  },
);

test('the folders among many files are found without reading the files', async () => {
  // What was read is counted for each connection, and shown by its next statement.
  const { filebox, db } = await openTestFilebox({ poolSize: 1 });
  await filebox.ensureFolders(vfsId, [inbox]);
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type, put_at,
       metadata, system_metadata, dfic)
     SELECT vfs_id, id, 'file', n::text, '', 'local', gen_random_uuid(), n, sha256(''), '', now(), '{}', '{}',
       '{"dfiid":"d","lcid":"l:0","userAttrs":{}}'
     FROM filebox.entries, generate_series(1, 20000) AS n WHERE name = 'inbox'`,
  );
  await filebox.ensureFolders(vfsId, [at('/inbox/last')]);
  await db.raw('VACUUM ANALYZE filebox.entries');
  const read = async (): Promise<number> => {
    await db.raw('SELECT pg_stat_force_next_flush()');
    const { rows } = await db.raw<{ rows: { read: string }[] }>(
      `SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS i WHERE i.relid = t.relid) AS read
       FROM pg_stat_user_tables AS t WHERE schemaname = 'filebox' AND relname = 'entries'`,
    );
    return Number(rows[0]?.read);
  };
  const before = await read();
  const { entries } = await filebox.list(vfsId, inbox, {
    foldersFirst: true,
    sort: 'size',
    direction: 'DESC',
    limit: 3,
  });
  expect(entries.map(({ name }) => name)).toEqual(['last', '20000', '19999']);
  expect((await read()) - before).toBeLessThan(100);
});
