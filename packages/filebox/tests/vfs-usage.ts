import type { VfsLimits } from '@waybill/contracts/configuration/storage-configuration';
import type { Database } from '@waybill/postgres/database';
import { setLimits } from '../src/limits/set-limits.ts';
import { vfsId } from './open-test-filebox.ts';

/** The usage of a VFS. */
export interface Usage {
  bytes: number;
  files: number;
  folders: number;
}

/** Sets the limits of the test VFS. */
export async function limit(db: Database, limits: VfsLimits | undefined): Promise<void> {
  await db.transaction((trx) => setLimits(trx, { vfsId, name: 'acme-files', limits }));
}

/** The stored usage. */
export async function usage(db: Database): Promise<Usage | undefined> {
  const { rows } = await db.raw<{ rows: Record<keyof Usage, string>[] }>(
    'SELECT bytes, files, folders FROM filebox.vfs_limits WHERE vfs_id = ?',
    [vfsId],
  );
  const [row] = rows;
  return row && { bytes: Number(row.bytes), files: Number(row.files), folders: Number(row.folders) };
}

/** The usage that a full count finds. */
export async function recount(db: Database): Promise<Usage> {
  const { rows } = await db.raw<{ rows: Record<keyof Usage, string>[] }>(
    `SELECT
       (SELECT COALESCE(sum(size), 0) FROM filebox.entries) + (SELECT COALESCE(sum(reserved_bytes), 0) FROM filebox.uploads)
         AS bytes,
       (SELECT count(*) FROM filebox.entries WHERE kind = 'file')
         + (SELECT COALESCE(sum(reserved_files), 0) FROM filebox.uploads) AS files,
       (SELECT count(*) FROM filebox.entries WHERE kind = 'folder' AND parent_id IS NOT NULL) AS folders`,
  );
  const [row] = rows;
  return { bytes: Number(row?.bytes), files: Number(row?.files), folders: Number(row?.folders) };
}
