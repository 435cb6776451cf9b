import type { Database } from '@waybill/postgres/database';

/** A tree of two levels. */
export interface TreeShape {
  folders: number;
  filesEach: number;
}

/** Fills an existing folder, as single uploads would: each folder's files are counted, each blob is different. */
export async function fillTree(db: Database, name: string, { folders, filesEach }: TreeShape): Promise<void> {
  await db.transaction(async (trx) => {
    // Row by row the triggers would take longer than everything else.
    await trx.raw('ALTER TABLE filebox.entries DISABLE TRIGGER USER');
    await trx.raw(
      `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
       SELECT vfs_id, id, 'folder', 'folder-' || n, 'bench'
       FROM filebox.entries, generate_series(1, CAST(? AS integer)) AS n WHERE name = ?`,
      [folders, name],
    );
    await trx.raw(
      `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256,
         media_type, put_at, metadata, system_metadata, dfic)
       SELECT e.vfs_id, e.id, 'file', 'file-' || lpad(n::text, 8, '0') || '.csv', 'bench', 'local', gen_random_uuid(),
         hashint4(n)::bigint & 1048575, sha256(''), 'text/csv', now(), '{}', '{}',
         '{"dfiid":"0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77","lcid":"d90fef7b-1517-4ad6-b836-18b6b4645be7:0","userAttrs":{}}'
       FROM filebox.entries e JOIN filebox.entries top ON top.id = e.parent_id,
         generate_series(1, CAST(? AS integer)) AS n WHERE top.name = ? AND e.kind = 'folder'`,
      [filesEach, name],
    );
    await trx.raw(
      `INSERT INTO filebox.folder_counts (folder_id, shard, files, folders)
       SELECT parent_id, 0, count(*) FILTER (WHERE kind = 'file'), count(*) FILTER (WHERE kind = 'folder')
       FROM filebox.entries WHERE parent_id IS NOT NULL GROUP BY parent_id
       ON CONFLICT (folder_id, shard) DO UPDATE SET files = excluded.files, folders = excluded.folders`,
    );
    await trx.raw('ALTER TABLE filebox.entries ENABLE TRIGGER USER');
  });
  await db.raw('VACUUM ANALYZE filebox.entries');
}
