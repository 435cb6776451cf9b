import type { Queryable } from '@waybill/postgres/database';

/** Whether there is any file in a VFS, or an upload on its way into it. */
export async function holdsFiles(on: Queryable, vfsId: string): Promise<boolean> {
  const { rows } = await on.raw<{ rows: { holds: boolean }[] }>(
    `WITH RECURSIVE folders AS (
       SELECT id FROM filebox.entries WHERE vfs_id = :vfsId AND parent_id IS NULL
       UNION ALL
       SELECT e.id FROM filebox.entries e JOIN folders f ON e.parent_id = f.id WHERE e.kind = 'folder'
     )
     SELECT EXISTS (SELECT FROM folders f JOIN filebox.entries e ON e.parent_id = f.id WHERE e.kind = 'file')
         OR EXISTS (SELECT FROM folders f JOIN filebox.uploads u ON u.parent_id = f.id) AS holds`,
    { vfsId },
  );
  return rows[0]?.holds === true;
}
