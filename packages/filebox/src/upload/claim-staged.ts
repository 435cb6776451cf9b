import { CodedError } from '@waybill/contracts/errors/coded-error';
import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import type { Database } from '@waybill/postgres/database';
import type { ClaimedPartial } from './claim-partial.ts';
import { nextFilesetSql } from './next-fileset-sql.ts';

interface StagedRow {
  storage_class: string;
  fileset: string;
  claimed: boolean;
  limited: boolean;
  covered: string;
}

/** How long a staged upload is held without a sign of life: its client waits for so long after a crash. */
export const stagedLeaseSeconds = 6;

/**
 * Takes a staged upload over, and answers where its bytes are, and what is reserved for it.
 * @throws CodedError `upload_in_progress` when somebody holds it, `upload_unknown` when there is none
 */
export async function claimStaged(
  db: Database,
  claim: { blobId: string; holder: string; keptUntil: Date },
): Promise<ClaimedPartial> {
  const { rows } = await db.raw<{ rows: StagedRow[] }>(
    `WITH claimed AS (
       UPDATE filebox.uploads
       SET holder = CAST(:holder AS uuid), lease_until = now() + make_interval(secs => :stagedLeaseSeconds),
         kept_until = :keptUntil
       WHERE blob_id = :blobId AND kept_until IS NOT NULL AND lease_until < now()
       RETURNING blob_id
     )
     SELECT storage_class, ${nextFilesetSql} AS fileset, EXISTS (SELECT FROM claimed) AS claimed, replaced_bytes + reserved_bytes AS covered,
       EXISTS (SELECT FROM filebox.vfs_limits v WHERE v.vfs_id = u.vfs_id) AS limited
     FROM filebox.uploads u WHERE blob_id = :blobId AND kept_until IS NOT NULL`,
    { ...claim, stagedLeaseSeconds },
  );
  const [found] = rows;
  if (!found) throw new CodedError('upload_unknown');
  if (!found.claimed) throw new CodedError('upload_in_progress');
  const { storage_class: storageClass, limited, covered } = found;
  const fileset = filesetIdSchema.parse(found.fileset);
  return { blobId: claim.blobId, storageClass, fileset, limited, coveredBytes: Number(covered) };
}
