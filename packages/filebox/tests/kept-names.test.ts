import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFolderIds } from '../src/listing/caches/folder-ids.ts';
import { createFolderNameCache, type FolderNameOptions } from '../src/listing/caches/folder-name-cache.ts';
import { countByNames } from '../src/listing/caches/folder-names.ts';
import { createPageMarkCache } from '../src/listing/caches/page-mark-cache.ts';
import { createTotalCache } from '../src/listing/caches/total-cache.ts';
import { countEntries } from '../src/listing/count-entries.ts';
import { listEntries } from '../src/listing/list-entries.ts';
import { entryCountSql } from '../src/listing/sql/entry-count-sql.ts';
import type { EntryFilter } from '../src/model/entry-query.ts';
import { openTestFilebox, vfsId } from './open-test-filebox.ts';

const inbox = parseVirtualPath('/inbox');

/** Listing with separate parts, which report what counts were computed from. */
async function openInbox(options: FolderNameOptions = {}) {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, [inbox]);
  const folder = await box.filebox.find(vfsId, inbox);
  if (folder?.kind !== 'folder') throw new Error('there is no folder');
  const sources: string[] = [];
  const parts = {
    db: box.db,
    folderIds: createFolderIds(),
    pageMarks: createPageMarkCache(box.db),
    folderNameCache: createFolderNameCache(box.db, { entriesAtLeast: 1, namesAtATime: 7, restFactor: 0, ...options }),
    totals: createTotalCache(),
    counts: { inc: ({ from }: { from: string }) => void sources.push(from) },
  };
  return { ...box, folderId: folder.id, parts, sources };
}

async function addFolders(db: Database, folderId: string, names: readonly string[]): Promise<void> {
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
     SELECT :vfsId, :folderId, 'folder', name, '' FROM unnest(CAST(:names AS text[])) AS name
     ON CONFLICT DO NOTHING`,
    { vfsId, folderId, names },
  );
}

async function countInDatabase(db: Database, folderId: string, filter: EntryFilter): Promise<number> {
  const { sql, bindings } = entryCountSql(filter);
  const { rows } = await db.raw<{ rows: { total: string }[] }>(`SELECT (${sql}) AS total`, { folderId, ...bindings });
  return Number(rows[0]?.total);
}

const letter = fc.constantFrom('a', 'b', 'a', 'b', '%', '_', '\\', '*', 'e\u0301', 'é', '文', '𝒳', '\uFFFD', ' ');
const nameArbitrary = fc
  .array(letter, { minLength: 1, maxLength: 8 })
  .map((letters) => letters.join('').normalize('NFC'));
const filterArbitrary = fc.record({
  pattern: fc.array(fc.oneof(letter, fc.constant('*')), { maxLength: 6 }).map((letters) => letters.join('')),
  type: fc.constantFrom('all' as const, 'files' as const, 'folders' as const),
  without: fc.oneof(fc.constant([]), fc.array(nameArbitrary, { maxLength: 40 })),
});

test('names in memory count the same as the database, for any names and any change of the folder', async () => {
  const { db, put, folderId, parts, sources } = await openInbox();
  const step = fc.record({
    filters: fc.array(filterArbitrary, { minLength: 1, maxLength: 20 }),
    added: fc.array(nameArbitrary, { maxLength: 40 }),
    taken: fc.nat({ max: 3 }),
  });
  let puts = 0;
  await fc.assert(
    fc.asyncProperty(step, async ({ filters, added, taken }) => {
      await addFolders(db, folderId, added);
      await db.raw(
        `DELETE FROM filebox.entries WHERE kind = 'folder' AND id IN (
           SELECT id FROM filebox.entries WHERE parent_id = ? ORDER BY hashint8(id) LIMIT ?)`,
        [folderId, taken],
      );
      if (added.length % 3 === 0) await put(`/inbox/ab${(puts += 1)}`, 'x');
      for (const filter of filters) {
        const counted = await countEntries(parts, vfsId, inbox, filter);
        expect(counted).toBe(await countInDatabase(db, folderId, filter));
      }
      await parts.folderNameCache.settle();
      for (const filter of filters) {
        const { entries, totalCount } = await listEntries(parts, vfsId, inbox, { ...filter, limit: 10_000 });
        expect(totalCount).toBe(entries.length);
        expect(await countEntries(parts, vfsId, inbox, filter)).toBe(totalCount);
      }
    }),
    { numRuns: 40 },
  );
  expect(sources.filter((source) => source === 'names').length).toBeGreaterThan(50);
});

test('a new pattern is counted from memory until the folder changes, and again soon after that', async () => {
  const { db, put, folderId, parts, sources } = await openInbox();
  await addFolders(db, folderId, ['axb', 'xx', 'c']);
  const ask = async (pattern: string, without: string[] = []) => {
    const count = await countEntries(parts, vfsId, inbox, { pattern, without });
    await parts.folderNameCache.settle();
    return [count, sources.at(-1)];
  };
  expect(await ask('*x*')).toEqual([2, 'database']);
  expect(await ask('*b*')).toEqual([1, 'names']);
  expect(await ask('*b*')).toEqual([1, 'memory']);
  expect(await ask('*b*', ['axb', 'other'])).toEqual([0, 'names']);
  await put('/inbox/bx', 'x');
  expect(await ask('*b*')).toEqual([2, 'database']);
  expect(await ask('*x*')).toEqual([3, 'names']);
});

test('names that are read while the folder changes are those of one snapshot', async () => {
  const { db, folderId, parts } = await openInbox({ namesAtATime: 1 });
  const pairs = Array.from({ length: 30 }, (_, n) => [`a${n}`, `z${n}`]).flat();
  await addFolders(db, folderId, pairs);
  const stopped = new AbortController();
  const writing = (async () => {
    for (let n = 0; !stopped.signal.aborted; n += 1) {
      await db.raw('UPDATE filebox.entries SET name = ? || substr(name, 2) WHERE parent_id = ? AND name IN (?, ?)', [
        n % 2 === 0 ? 'b' : 'z',
        folderId,
        'z7',
        'b7',
      ]);
    }
  })();
  for (let time = 0; time < 10; time += 1) {
    await countEntries(parts, vfsId, inbox, { pattern: `*${time}*9` });
    await parts.folderNameCache.settle();
    const names = parts.folderNameCache.find(folderId);
    if (names === undefined) throw new Error('they are not kept');
    expect(await countByNames(names, { pattern: '*7' })).toBe(6);
    expect(await countByNames(names, { pattern: '*' })).toBe(60);
  }
  stopped.abort();
  await writing;
});

test.each([
  ['a folder with few entries', { entriesAtLeast: 4 }],
  ['more names than the memory limit', { bytesAtMost: 900 }],
  ['any names with a limit of 0', { bytesAtMost: 0 }],
])('the names of %s are not kept', async (_, options) => {
  const { db, folderId, parts, sources } = await openInbox(options);
  await addFolders(db, folderId, ['axb', 'xx', 'c']);
  for (const pattern of ['*x*', '*b*', '*c*']) {
    await countEntries(parts, vfsId, inbox, { pattern });
    await parts.folderNameCache.settle();
  }
  expect(sources).toEqual(['database', 'database', 'database']);
  expect(parts.folderNameCache.weight()).toBeLessThan(900);
});

test('the metrics report the source of counts and the memory of names', async () => {
  const { openAnother, put } = await openInbox();
  const metrics = createMetrics('filebox-test');
  const filebox = await openAnother({ metrics });
  await put('/inbox/a', 'x');
  await filebox.count(vfsId, inbox, { pattern: '*a*' });
  await filebox.count(vfsId, inbox, { pattern: '*a*' });
  const text = await metrics.text();
  expect(text).toMatch(/waybill_filebox_pattern_counts_total\{from="database".*\} 1/u);
  expect(text).toMatch(/waybill_filebox_pattern_counts_total\{from="memory".*\} 1/u);
  expect(text).toMatch(/waybill_filebox_kept_names_bytes\{.*\} \d/u);
});
