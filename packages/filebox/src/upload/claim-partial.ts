import { CodedError } from '@waybill/contracts/errors/coded-error';
import { filesetIdSchema, type FilesetId } from '@waybill/contracts/values/fileset-id';
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { leaseSeconds } from './insert-upload.ts';
import { nextFilesetSql } from './next-fileset-sql.ts';

/** Whose interrupted upload is to be gone on with. */
export interface PartialClaim {
  vfsId: string;
  path: VirtualPath;
  userName: string;
  /** Names the one who writes from now on. */
  holder: string;
}

/** The bytes of an interrupted upload. */
export interface ClaimedPartial {
  blobId: string;
  storageClass: string;
  /** Reserved for the file that it becomes. */
  fileset: FilesetId;
  /** The VFS has limits. */
  limited: boolean;
  /** The size that the file may have by what was reserved. */
  coveredBytes: number;
}

interface ClaimRow {
  blob_id: string;
  storage_class: string;
  fileset: string;
  claimed: boolean;
  limited: boolean;
  covered: string;
}

/**
 * Takes over a user's latest interrupted upload to a path and answers its blob; undefined when there is none, or a
 * newer file.
 * @throws CodedError `upload_in_progress` when somebody still holds it
 */
export async function claimPartial(db: Database, claim: PartialClaim): Promise<ClaimedPartial | undefined> {
  const { vfsId, path, userName, holder } = claim;
  const { rows } = await db.raw<{ rows: ClaimRow[] }>(
    `WITH latest AS (
       SELECT blob_id, storage_class, vfs_id, replaced_bytes + reserved_bytes AS covered FROM filebox.uploads u
       WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND user_name = :userName
         AND name = :name AND resumable AND NOT EXISTS (
           SELECT FROM filebox.entries e
           WHERE e.parent_id = u.parent_id AND e.name = u.name AND e.put_at >= u.started_at
         )
       ORDER BY started_at DESC LIMIT 1
     ), claimed AS (
       UPDATE filebox.uploads u
       SET holder = CAST(:holder AS uuid), lease_until = now() + make_interval(secs => :leaseSeconds)
       FROM latest WHERE u.blob_id = latest.blob_id AND u.lease_until < now()
       RETURNING u.blob_id
     )
     SELECT blob_id, storage_class, covered, ${nextFilesetSql} AS fileset, EXISTS (SELECT FROM claimed) AS claimed,
       EXISTS (SELECT FROM filebox.vfs_limits v WHERE v.vfs_id = latest.vfs_id) AS limited
     FROM latest`,
    { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path), userName, holder, leaseSeconds },
  );
  const [latest] = rows;
  if (latest && !latest.claimed) {
    throw new CodedError('upload_in_progress', { names: { path, file: nameOf(path) } });
  }
  if (!latest) return undefined;
  const { blob_id: blobId, storage_class: storageClass, limited, covered } = latest;
  const fileset = filesetIdSchema.parse(latest.fileset);
  return { blobId, storageClass, fileset, limited, coveredBytes: Number(covered) };
}
