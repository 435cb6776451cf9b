import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFolderIds } from '../src/listing/caches/folder-ids.ts';
import { createFolderNameCache } from '../src/listing/caches/folder-name-cache.ts';
import type { ListingParts } from '../src/listing/caches/listing-parts.ts';
import { createPageMarkCache } from '../src/listing/caches/page-mark-cache.ts';
import { createTotalCache } from '../src/listing/caches/total-cache.ts';
import { countEntries } from '../src/listing/count-entries.ts';
import { findMarkedPage } from '../src/listing/find-marked-page.ts';
import { listEntries } from '../src/listing/list-entries.ts';
import type { EntryQuery, EntrySort } from '../src/model/entry-query.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;
const inbox = at('/inbox');
const origin = { origin: acme };

/** Every column with equal values, and with entries without a value. */
async function openWithManyRows(count: number) {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, [inbox, at('/other')]);
  await box.db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, first_read_at, expires_at, metadata, system_metadata, dfic)
     SELECT vfs_id, id, CASE WHEN f THEN 'file' ELSE 'folder' END, substr(md5(n::text), 1, 8) || n, 'acme',
       CASE WHEN f THEN 'local' END, CASE WHEN f THEN gen_random_uuid() END, CASE WHEN f THEN n % 7 END,
       CASE WHEN f THEN sha256('') END, CASE WHEN f THEN 'text/plain' END,
       CASE WHEN f THEN to_timestamp(1e9 + n % 5 + 0.000001 * (n % 3)) END,
       CASE WHEN f AND n % 3 = 0 THEN to_timestamp(1e9 + n % 4) END,
       CASE WHEN f AND n % 4 > 0 THEN to_timestamp(2e9 + n % 6) END,
       CASE WHEN f THEN '{}'::jsonb END, CASE WHEN f THEN '{}'::jsonb END,
       CASE WHEN f THEN '{"dfiid":"d","lcid":"l:0","userAttrs":{}}'::jsonb END
     FROM filebox.entries, generate_series(1, ?) AS n, LATERAL (SELECT n % 3 < 2 AS f) AS kinds WHERE name = 'inbox'`,
    [count],
  );
  const folder = await box.filebox.find(vfsId, inbox);
  if (folder?.kind !== 'folder') throw new Error('there is no folder');
  const parts: ListingParts = {
    db: box.db,
    folderIds: createFolderIds(),
    pageMarks: createPageMarkCache(box.db, { restFactor: 0 }),
    folderNameCache: createFolderNameCache(box.db),
    totals: createTotalCache(),
    counts: { inc: () => {} },
  };
  return { ...box, folderId: folder.id, folder: { vfsId, path: inbox, id: folder.id }, parts };
}

const orders: Record<EntrySort, string> = {
  name: 'name',
  size: 'size ASC NULLS FIRST, name',
  put_date: 'put_at ASC NULLS FIRST, name',
  read_date: 'first_read_at ASC NULLS FIRST, name',
  expiry_date: 'expires_at ASC NULLS LAST, name',
};

/** The same page with a plain query. */
async function plainPage(db: ListingParts['db'], folderId: string, query: EntryQuery) {
  const { sort = 'name', direction = 'ASC', type = 'all', pattern = '*', start = 0, limit = 500 } = query;
  const { rows } = await db.raw<{ rows: { id: string; kind: string; name: string }[] }>(
    `SELECT id, kind, name FROM filebox.entries WHERE parent_id = ? ORDER BY ${orders[sort]}`,
    [folderId],
  );
  const meant = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'u');
  const wanted = rows
    .filter(({ kind, name }) => (type === 'all' || `${kind}s` === type) && meant.test(name))
    .map(({ name }) => name);
  const ordered = direction === 'ASC' ? wanted : wanted.toReversed();
  return { names: ordered.slice(start, start + limit), total: wanted.length };
}

const queries = fc.record({
  sort: fc.constantFrom<EntrySort>('name', 'size', 'put_date', 'read_date', 'expiry_date'),
  direction: fc.constantFrom('ASC' as const, 'DESC' as const),
  type: fc.constantFrom('all' as const, 'files' as const, 'folders' as const),
  pattern: fc.constantFrom('*', '*', '*', '*', 'a*', '*7', '*ab*', '*a*7'),
  start: fc.integer({ min: 0, max: 2_000 }),
  limit: fc.constantFrom(0, 1, 7, 500, 1_200),
});

async function expectSamePage(parts: ListingParts, folderId: string, query: EntryQuery): Promise<void> {
  const { entries, totalCount } = await listEntries(parts, vfsId, inbox, query);
  const { names, total } = await plainPage(parts.db, folderId, query);
  expect(entries.map(({ name }) => name)).toEqual(names);
  expect(totalCount).toBe(total);
  expect(await countEntries(parts, vfsId, inbox, query)).toBe(total);
}

test('any page of a large folder, after any changes, is that of a plain query', async () => {
  const box = await openWithManyRows(1_900);
  const { parts, folderId, folder, filebox, db } = box;
  const changes = [
    (n: number) => box.put(`/inbox/new-${n % 5}`, String(n)),
    (n: number) =>
      filebox
        .rename(vfsId, at(`/inbox/new-${n % 5}`), at(`/inbox/new-${(n + 1) % 5}`), { ...origin, overwrite: true })
        .catch(() => {}),
    (n: number) => filebox.createFolder(vfsId, at(`/inbox/folder-${n}`), origin).catch(() => {}),
    (n: number) =>
      db.raw('UPDATE filebox.entries SET expires_at = now() WHERE parent_id = ? AND size = ?', [folderId, n % 7]),
    () =>
      db.raw(
        `DELETE FROM filebox.entries WHERE id = (
           SELECT id FROM filebox.entries WHERE parent_id = ? AND kind = 'folder' ORDER BY name LIMIT 1 OFFSET 400)`,
        [folderId],
      ),
  ];
  const step = fc.record({ query: queries, change: fc.option(fc.nat({ max: 1_000 }), { freq: 3 }) });
  let marked = 0;
  await fc.assert(
    fc.asyncProperty(step, async ({ query, change }) => {
      if (change !== null) await changes[change % changes.length]?.(change);
      // Before its marks are read, and with them.
      await expectSamePage(parts, folderId, query);
      await parts.pageMarks.settle();
      await expectSamePage(parts, folderId, query);
      marked += Number((await findMarkedPage(parts, folder, query)) !== undefined);
    }),
    { numRuns: 160 },
  );
  expect(marked).toBeGreaterThan(10);
});

test('pages that are read while the folder keeps changing are those of one snapshot', async () => {
  const box = await openWithManyRows(1_600);
  const { parts, folderId } = box;
  const stopped = new AbortController();
  const writing = (async () => {
    for (let n = 0; !stopped.signal.aborted; n += 1) await box.put(`/inbox/new-${n % 50}`, String(n));
  })();
  const query = { sort: 'put_date', start: 1_100, limit: 300 } as const;
  for (let time = 0; time < 20; time += 1) {
    const direction = time % 2 === 0 ? 'ASC' : 'DESC';
    await box.db.transaction(
      async (snapshot) => expectSamePage({ ...parts, db: snapshot }, folderId, { ...query, direction }),
      { isolationLevel: 'repeatable read' },
    );
    await parts.pageMarks.settle();
  }
  stopped.abort();
  await writing;
});

test('after any kind of change cached knowledge of the folder is not used', async () => {
  const box = await openWithManyRows(1_200);
  const { filebox, parts, folder } = box;
  const changes = {
    'a new file': () => box.put('/inbox/old', 'x'),
    'a file in place of another': () => box.put('/inbox/old', 'other'),
    'a first read': async () => {
      await using download = await filebox.openDownload(vfsId, at('/inbox/old'), origin);
      await download.complete();
    },
    'another name': () => filebox.rename(vfsId, at('/inbox/old'), at('/inbox/n'), { ...origin, overwrite: true }),
    'a move to elsewhere': () => filebox.rename(vfsId, at('/inbox/n'), at('/other/n'), { ...origin, overwrite: true }),
    'a move from elsewhere': () =>
      filebox.rename(vfsId, at('/other/n'), at('/inbox/n'), { ...origin, overwrite: true }),
    'a deletion': () => filebox.deleteFile(vfsId, at('/inbox/n'), origin),
    'a new folder': () => filebox.createFolder(vfsId, at('/inbox/new'), origin),
  };
  const page = { start: 1_000, limit: 10 };
  for (const [kind, change] of Object.entries(changes)) {
    await listEntries(parts, vfsId, inbox, page);
    await parts.pageMarks.settle();
    expect(await findMarkedPage(parts, folder, page), `before ${kind}`).toBeDefined();
    await change();
    expect(await findMarkedPage(parts, folder, page), `after ${kind}`).toBeUndefined();
    await parts.pageMarks.settle();
  }
});

test('a counted total is not counted again before the folder changes', async () => {
  const box = await openWithManyRows(50);
  const filter = { pattern: '*b*' };
  const total = await countEntries(box.parts, vfsId, inbox, filter);
  const known = box.parts.totals.find(box.folderId, filter);
  expect(known).toMatchObject({ total });
  // This row would be counted if rows were read.
  await box.db.raw('ALTER TABLE filebox.entries DISABLE TRIGGER count_entry');
  await box.db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner) VALUES (?, ?, 'folder', 'b', '')`,
    [vfsId, box.folderId],
  );
  await box.db.raw('ALTER TABLE filebox.entries ENABLE TRIGGER count_entry');
  expect(await countEntries(box.parts, vfsId, inbox, filter)).toBe(total);
  await box.put('/inbox/b2', 'x');
  expect(await countEntries(box.parts, vfsId, inbox, filter)).toBe(total + 2);
});
