import type { Queryable } from '@waybill/postgres/database';

/** Creates the root of a VFS if it has none yet. The first access to a VFS creates its root. */
export async function openRoot(db: Queryable, vfsId: string): Promise<void> {
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, kind, name, owner) VALUES (?, 'folder', '', '')
     ON CONFLICT (vfs_id) WHERE parent_id IS NULL DO NOTHING`,
    [vfsId],
  );
}
