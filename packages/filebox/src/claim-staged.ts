import { CodedError } from '@waybill/contracts/coded-error';
import type { Database } from '@waybill/postgres/database';

/** How long a staged upload is held without a sign of life: its client waits for so long after a crash. */
export const stagedLeaseSeconds = 6;

/**
 * Takes a staged upload over, and answers where its bytes are.
 * @throws CodedError `upload_in_progress` when somebody holds it, `upload_unknown` when there is none
 */
export async function claimStaged(
  db: Database,
  claim: { blobId: string; holder: string; keptUntil: Date },
): Promise<{ storageClass: string }> {
  const { rows } = await db.raw<{ rows: { storage_class: string; claimed: boolean }[] }>(
    `WITH claimed AS (
       UPDATE filebox.uploads
       SET holder = CAST(:holder AS uuid), lease_until = now() + make_interval(secs => :stagedLeaseSeconds),
         kept_until = :keptUntil
       WHERE blob_id = :blobId AND kept_until IS NOT NULL AND lease_until < now()
       RETURNING blob_id
     )
     SELECT storage_class, EXISTS (SELECT FROM claimed) AS claimed FROM filebox.uploads
     WHERE blob_id = :blobId AND kept_until IS NOT NULL`,
    { ...claim, stagedLeaseSeconds },
  );
  const [found] = rows;
  if (!found) throw new CodedError('upload_unknown');
  if (!found.claimed) throw new CodedError('upload_in_progress');
  return { storageClass: found.storage_class };
}
