import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { ensureFolders } from '@waybill/filebox/entries/ensure-folders';
import type { Database } from '@waybill/postgres/database';
import { vfsName } from './bench-configuration.ts';

/** The folder of many entries. */
export const fullFolder = 'million';

/**
 * Fills a folder with rows only: nine files in ten entries, with an order of names that differs from all other orders,
 * with dates of all kinds and many equal values.
 */
export async function fillFolder(db: Database, entries: number): Promise<void> {
  const vfs = await openDirectory({ db }).findVfsByName(vfsName);
  if (vfs === undefined) throw new Error(`${vfsName} does not exist`);
  await ensureFolders(db, vfs.id, [parseVirtualPath(`/${fullFolder}`)]);
  // Through the trigger a million rows would take minutes. Its counts are written directly.
  await db.raw('ALTER TABLE filebox.entries DISABLE TRIGGER USER');
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, first_read_at, expires_at, metadata, system_metadata, dfic)
     SELECT vfs_id, id, CASE WHEN is_file THEN 'file' ELSE 'folder' END,
       (ARRAY['invoice', 'report', 'abc', 'export', 'box'])[n % 5 + 1] || '-' || substr(md5(n::text), 1, 12)
         || (ARRAY['.csv', '.xml', '.txt', '.pdf'])[n % 4 + 1], 'bench',
       CASE WHEN is_file THEN 'local' END, CASE WHEN is_file THEN gen_random_uuid() END,
       CASE WHEN is_file THEN hashint4(n)::bigint & 65535 END, CASE WHEN is_file THEN sha256('') END,
       CASE WHEN is_file THEN 'text/csv' END,
       CASE WHEN is_file THEN now() - make_interval(secs => hashint4(n) & 65535) END,
       CASE WHEN is_file AND n % 3 = 0 THEN now() - make_interval(secs => n) END,
       CASE WHEN is_file AND n % 7 = 0 THEN now() + make_interval(hours => n & 1023) END,
       CASE WHEN is_file THEN '{"BUSINESS_UNIT":"Accounting"}'::jsonb END, CASE WHEN is_file THEN '{}'::jsonb END,
       CASE WHEN is_file THEN '{"dfiid":"0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77",
         "lcid":"d90fef7b-1517-4ad6-b836-18b6b4645be7:0","userAttrs":{}}'::jsonb END
     FROM filebox.entries, generate_series(1, ?) AS n, LATERAL (SELECT n % 10 > 0 AS is_file) AS kinds
     WHERE name = '${fullFolder}'`,
    [entries],
  );
  await db.raw(`
    INSERT INTO filebox.folder_counts (folder_id, shard, files, folders)
    SELECT parent_id, 0, count(*) FILTER (WHERE kind = 'file'), count(*) FILTER (WHERE kind = 'folder')
    FROM filebox.entries WHERE parent_id = (SELECT id FROM filebox.entries WHERE name = '${fullFolder}') GROUP BY 1`);
  await db.raw('ALTER TABLE filebox.entries ENABLE TRIGGER USER');
  await db.raw('VACUUM ANALYZE filebox.entries');
  // The checkpoint after inserting a million rows must not affect the measured pages.
  await db.raw('CHECKPOINT');
}
