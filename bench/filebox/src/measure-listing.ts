import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openBenchFilebox, vfsId } from './open-bench-filebox.ts';
import { quantile } from './quantile.ts';

/* Pages of 500 entries of a folder of a million, in each order, from its beginning and from anywhere in it. */
const entries = 1_000_000;
const pages = 40;
const folderPath = parseVirtualPath('/million');
const sorts = ['name', 'size', 'put_date', 'read_date', 'expiry_date'] as const;

await using bench = await openBenchFilebox();
const { filebox, db } = bench;
await filebox.ensureFolders(vfsId, [folderPath]);
console.log('filling a folder ...');
// Counted in one row, as after a million single transactions; in one transaction the trigger is slow.
await db.raw('ALTER TABLE filebox.entries DISABLE TRIGGER count_entry');
await db.raw(`INSERT INTO filebox.folder_counts SELECT id, 0, ?, 0 FROM filebox.entries WHERE name = 'million'`, [
  entries,
]);
await db.raw(
  `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
     put_at, first_read_at, expires_at, metadata, system_metadata, dfic)
   SELECT vfs_id, id, 'file', 'file-' || lpad(n::text, 8, '0') || '.csv', 'bench', 'local', gen_random_uuid(),
     hashint4(n)::bigint & 1048575, sha256(''), 'text/csv', now() - make_interval(secs => hashint4(n) & 65535),
     CASE WHEN n % 3 = 0 THEN now() - make_interval(secs => n) END, CASE WHEN n % 5 = 0 THEN now() END, '{}', '{}',
     '{"dfiid":"0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77","lcid":"d90fef7b-1517-4ad6-b836-18b6b4645be7:0","userAttrs":{}}'
   FROM filebox.entries, generate_series(1, ?) AS n WHERE name = 'million'`,
  [entries],
);
await db.raw('VACUUM ANALYZE filebox.entries');

for (const [label, startOf] of [
  ['first page', () => 0],
  ['any page', () => Math.floor(Math.random() * (entries - 500))],
] as const) {
  for (const sort of sorts) {
    const milliseconds: number[] = [];
    for (let page = 0; page < pages; page += 1) {
      const direction = page % 2 === 0 ? 'ASC' : 'DESC';
      const startedAt = performance.now();
      const { entries: found, totalCount } = await filebox.list(vfsId, folderPath, {
        sort,
        direction,
        start: startOf(),
      });
      milliseconds.push(performance.now() - startedAt);
      if (found.length !== 500 || totalCount !== entries) throw new Error('not the page that was asked for');
    }
    const [p50, p95] = [quantile(milliseconds, 0.5), quantile(milliseconds, 0.95)];
    console.log(`${label} by ${sort.padEnd(12)} p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  }
}
