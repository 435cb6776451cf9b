import type { Protocol } from '@waybill/contracts/values/protocol';
import { nameOf, parentOf, parseVirtualPath, rootPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import type { UnfinishedUpload, UnfinishedUploadQuery } from './unfinished-uploads.ts';

/** How long a suspended upload can be resumed. */
export const suspendedForHours = 24;

/** When an upload `u` is discarded if it is not held. */
export const keptUntilSql = `COALESCE(u.kept_until, u.lease_until + make_interval(hours => ${suspendedForHours}))`;

/** An upload, and where its bytes are. */
export interface StoredUpload {
  readonly upload: UnfinishedUpload;
  readonly storageClass: string;
}

/** The columns of an upload `u` that `storedUploadOf` reads. */
export const uploadColumns = `u.blob_id, u.storage_class, u.vfs_id,
  (SELECT filebox.path_of(e.id) FROM filebox.entries e WHERE e.id = u.parent_id) AS folder_path, u.name, u.user_name,
  u.protocol, u.started_at, u.lease_until >= now() AS held, ${keptUntilSql} AS kept_until`;

/** A row of `uploadColumns`. */
export interface UnfinishedUploadRow {
  blob_id: string;
  storage_class: string;
  vfs_id: string;
  folder_path: string | null;
  name: string;
  user_name: string;
  protocol: Protocol | null;
  started_at: Date;
  held: boolean;
  kept_until: Date;
}

/** Reads a row of `uploadColumns`. */
export function storedUploadOf(row: UnfinishedUploadRow): StoredUpload {
  const { folder_path: folder, storage_class: storageClass } = row;
  const upload = {
    blobId: row.blob_id,
    vfsId: row.vfs_id,
    path: folder === null ? undefined : parseVirtualPath(`${folder === rootPath ? '' : folder}/${row.name}`),
    userName: row.user_name,
    protocol: row.protocol ?? undefined,
    startedAt: row.started_at,
    isHeld: row.held,
    keptUntil: row.kept_until,
  };
  return { upload, storageClass };
}

/**
 * Whether somebody reaches an upload `u`: not one of a file that was deleted while it was open, which is never committed; and not one
 * of a job if only those of some users are reached, because who submits a job may have the name of another's user.
 */
export const isReachedSql = `NOT u.removed AND (CAST(:ofUsers AS jsonb) IS NULL
  OR (u.protocol IS NOT NULL AND u.user_name IN (SELECT jsonb_array_elements_text(CAST(:ofUsers AS jsonb)))))`;

/** The binding of `isReachedSql`. */
export function listBinding(values: readonly string[] | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values);
}

/** Reads uploads, the newest first: the ids of their blobs are in the order of their beginnings. */
export async function readUploads(db: Queryable, query: UnfinishedUploadQuery): Promise<StoredUpload[]> {
  const { path, userName = null, before = null, limit } = query;
  const isWithin = path === undefined || path === rootPath ? 'true' : isWithinSql;
  const { rows } = await db.raw<{ rows: UnfinishedUploadRow[] }>(
    `SELECT ${uploadColumns} FROM filebox.uploads u
     WHERE ${isReachedSql}
       AND (CAST(:before AS uuid) IS NULL OR u.blob_id < CAST(:before AS uuid))
       AND (CAST(:userName AS text) IS NULL OR u.user_name = :userName)
       AND (CAST(:vfsIds AS jsonb) IS NULL OR u.vfs_id IN (SELECT jsonb_array_elements_text(CAST(:vfsIds AS jsonb))))
       AND ${isWithin}
     ORDER BY u.blob_id DESC LIMIT :limit`,
    {
      ofUsers: listBinding(query.ofUsers),
      vfsIds: listBinding(query.vfsIds),
      userName,
      before,
      limit,
      ...(isWithin === isWithinSql && path !== undefined && { path, folder: parentOf(path), name: nameOf(path) }),
    },
  );
  return rows.map(storedUploadOf);
}

/** The path of each folder is looked up once, however many uploads it has. */
const isWithinSql = `u.parent_id IN (
    SELECT f.id FROM (
      SELECT d.id, (SELECT filebox.path_of(e.id) FROM filebox.entries e WHERE e.id = d.id) AS path
      FROM (SELECT DISTINCT parent_id AS id FROM filebox.uploads) AS d OFFSET 0
    ) AS f
    WHERE f.path = :path OR starts_with(f.path, CAST(:path AS text) || '/') OR (f.path = :folder AND u.name = :name)
  )`;
