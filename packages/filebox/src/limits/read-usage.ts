import type { Queryable } from '@waybill/postgres/database';

/** The limits of a VFS, null if unlimited, and what counts towards them, with what uploads have reserved. */
export interface VfsUsage {
  readonly max_bytes: string | null;
  readonly max_files: string | null;
  readonly max_folders: string | null;
  readonly max_depth: number | null;
  readonly bytes: string;
  readonly files: string;
  readonly folders: string;
}

/** The usage of a VFS that has limits. */
export async function readUsage(on: Queryable, vfsId: string): Promise<VfsUsage | undefined> {
  const { rows } = await on.raw<{ rows: VfsUsage[] }>('SELECT * FROM filebox.vfs_limits WHERE vfs_id = ?', [vfsId]);
  return rows[0];
}
