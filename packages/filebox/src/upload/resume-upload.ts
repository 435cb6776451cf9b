import { CodedError } from '@waybill/contracts/errors/coded-error';
import { filesetIdSchema, type FilesetId } from '@waybill/contracts/values/fileset-id';
import type { UserName } from '@waybill/contracts/values/user-name';
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { leaseSeconds, nextFilesetSql } from './insert-upload.ts';

/** How long the lease of an upload by id lasts without a renewal: after a crash its client waits that long. */
export const leaseSecondsById = 6;

/** A suspended upload after a resume: where its bytes are, and what is reserved for it. */
export interface ResumedUpload {
  blobId: string;
  storageClass: string;
  /** Reserved for the committed file. */
  fileset: FilesetId;
  /** The VFS has limits. */
  limited: boolean;
  /** The file size that the reservation covers. */
  coveredBytes: number;
}

interface ResumedRow {
  blob_id: string;
  storage_class: string;
  fileset: string;
  held: boolean;
  limited: boolean;
  covered: string;
}

/**
 * Resumes a user's latest suspended upload to a path; undefined if there is none, or the file there is newer.
 * @throws CodedError `upload_in_progress` if its lease is held
 */
export async function resumeUploadTo(
  db: Database,
  { vfsId, path, userName, holder }: { vfsId: string; path: VirtualPath; userName: UserName; holder: string },
): Promise<ResumedUpload | undefined> {
  const { rows } = await db.raw<{ rows: ResumedRow[] }>(
    `WITH latest AS (
       SELECT blob_id, storage_class, vfs_id, replaced_bytes + reserved_bytes AS covered FROM filebox.uploads u
       WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND user_name = :userName
         AND name = :name AND resumable AND NOT EXISTS (
           SELECT FROM filebox.entries e
           WHERE e.parent_id = u.parent_id AND e.name = u.name AND e.put_at >= u.started_at
         )
       ORDER BY started_at DESC LIMIT 1
     ), held AS (
       UPDATE filebox.uploads u
       SET holder = CAST(:holder AS uuid), lease_until = now() + make_interval(secs => :leaseSeconds)
       FROM latest WHERE u.blob_id = latest.blob_id AND u.lease_until < now()
       RETURNING u.blob_id
     )
     SELECT blob_id, storage_class, covered, ${nextFilesetSql} AS fileset, EXISTS (SELECT FROM held) AS held,
       EXISTS (SELECT FROM filebox.vfs_limits v WHERE v.vfs_id = latest.vfs_id) AS limited
     FROM latest`,
    { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path), userName, holder, leaseSeconds },
  );
  if (!rows[0]) return undefined;
  if (!rows[0].held) throw new CodedError('upload_in_progress', { names: { path, file: nameOf(path) } });
  return resumedOf(rows[0]);
}

/**
 * Resumes the upload with this id, and keeps it until `keptUntil` from now on.
 * @throws CodedError `upload_in_progress` if its lease is held, `upload_unknown` if there is none
 */
export async function resumeUploadById(
  db: Database,
  { blobId, holder, keptUntil }: { blobId: string; holder: string; keptUntil: Date },
): Promise<ResumedUpload> {
  const { rows } = await db.raw<{ rows: ResumedRow[] }>(
    `WITH held AS (
       UPDATE filebox.uploads
       SET holder = CAST(:holder AS uuid), lease_until = now() + make_interval(secs => :leaseSecondsById),
         kept_until = :keptUntil
       WHERE blob_id = :blobId AND kept_until IS NOT NULL AND lease_until < now()
       RETURNING blob_id
     )
     SELECT blob_id, storage_class, ${nextFilesetSql} AS fileset, EXISTS (SELECT FROM held) AS held,
       replaced_bytes + reserved_bytes AS covered,
       EXISTS (SELECT FROM filebox.vfs_limits v WHERE v.vfs_id = u.vfs_id) AS limited
     FROM filebox.uploads u WHERE blob_id = :blobId AND kept_until IS NOT NULL`,
    { blobId, holder, keptUntil, leaseSecondsById },
  );
  if (!rows[0]) throw new CodedError('upload_unknown');
  if (!rows[0].held) throw new CodedError('upload_in_progress');
  return resumedOf(rows[0]);
}

function resumedOf(row: ResumedRow): ResumedUpload {
  const { blob_id: blobId, storage_class: storageClass, limited, covered } = row;
  return { blobId, storageClass, fileset: filesetIdSchema.parse(row.fileset), limited, coveredBytes: Number(covered) };
}
