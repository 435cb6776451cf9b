import type { VfsLimits } from '@waybill/contracts/configuration/storage-configuration';
import type { Transaction } from '@waybill/postgres/database';

/** A VFS and its limits: without `limits` it is unlimited. */
export interface LimitedVfs {
  vfsId: string;
  /** For metrics. */
  name: string;
  limits: VfsLimits | undefined;
  /** The transaction has created it: nothing waits for it, and a lock for each of many would exhaust those of PostgreSQL. */
  isNew?: boolean;
}

/**
 * Sets the limits of a VFS, and counts its content. Changes to the content of this VFS wait until the transaction has
 * ended, unless it had no limits and gets none. Limits below the present usage only refuse additions. Callers hold the
 * lock of the configuration: nothing else sets limits meanwhile.
 */
export async function setLimits(trx: Transaction, { vfsId, name, limits, isNew = false }: LimitedVfs): Promise<void> {
  const isLimited = limits !== undefined && Object.values(limits).some((limit) => limit !== undefined);
  if (!isLimited && (isNew || !(await hasLimits(trx, vfsId)))) return;
  if (!isNew)
    await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('filebox usage ' || CAST(? AS text), 0))", [vfsId]);
  if (!isLimited) {
    await trx.raw('DELETE FROM filebox.vfs_limits WHERE vfs_id = ?', [vfsId]);
    return;
  }
  const { bytes = null, files = null, folders = null, depth = null } = limits;
  await trx.raw(countedSql, { vfsId, name, bytes, files, folders, depth });
}

async function hasLimits(trx: Transaction, vfsId: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>('SELECT FROM filebox.vfs_limits WHERE vfs_id = ?', [vfsId]);
  return rows.length > 0;
}

const countedSql = `
  WITH RECURSIVE folders AS (
    SELECT id FROM filebox.entries WHERE vfs_id = :vfsId AND parent_id IS NULL
    UNION ALL
    SELECT e.id FROM filebox.entries e JOIN folders f ON e.parent_id = f.id WHERE e.kind = 'folder'
  ), stored AS (
    SELECT COALESCE(sum(e.size), 0) AS bytes, count(*) FILTER (WHERE e.kind = 'file') AS files,
      count(*) FILTER (WHERE e.kind = 'folder') AS folders
    FROM folders f JOIN filebox.entries e ON e.parent_id = f.id
  ), coming AS (
    SELECT COALESCE(sum(reserved_bytes), 0) AS bytes, COALESCE(sum(reserved_files), 0) AS files
    FROM filebox.uploads WHERE vfs_id = :vfsId
  )
  INSERT INTO filebox.vfs_limits AS known
    (vfs_id, name, max_bytes, max_files, max_folders, max_depth, bytes, files, folders)
  SELECT :vfsId, :name, CAST(:bytes AS bigint), CAST(:files AS bigint), CAST(:folders AS bigint),
    CAST(:depth AS integer), stored.bytes + coming.bytes, stored.files + coming.files, stored.folders
  FROM stored, coming
  ON CONFLICT (vfs_id) DO UPDATE SET name = excluded.name, max_bytes = excluded.max_bytes,
    max_files = excluded.max_files, max_folders = excluded.max_folders, max_depth = excluded.max_depth,
    bytes = excluded.bytes, files = excluded.files, folders = excluded.folders`;
