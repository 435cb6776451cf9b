import type { Queryable } from '@waybill/postgres/database';

/** The number of files in a VFS, including running uploads into it. */
export async function countFiles(on: Queryable, vfsId: string): Promise<number> {
  const { rows } = await on.raw<{ rows: { files: string }[] }>(
    `WITH RECURSIVE folders AS (
       SELECT id FROM filebox.entries WHERE vfs_id = :vfsId AND parent_id IS NULL
       UNION ALL
       SELECT e.id FROM filebox.entries e JOIN folders f ON e.parent_id = f.id WHERE e.kind = 'folder'
     )
     SELECT (SELECT count(*) FROM folders f JOIN filebox.entries e ON e.parent_id = f.id WHERE e.kind = 'file')
          + (SELECT count(*) FROM folders f JOIN filebox.uploads u ON u.parent_id = f.id) AS files`,
    { vfsId },
  );
  return Number(rows[0]?.files ?? 0);
}
