import type { Queryable } from '@waybill/postgres/database';

/** Makes the root of a VFS when it has none yet. A VFS comes to have one when it is first looked at. */
export async function openRoot(db: Queryable, vfsId: string): Promise<void> {
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, kind, name, owner) VALUES (?, 'folder', '', '')
     ON CONFLICT (vfs_id) WHERE parent_id IS NULL DO NOTHING`,
    [vfsId],
  );
}
