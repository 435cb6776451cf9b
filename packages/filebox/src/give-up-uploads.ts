import type { Transaction } from '@waybill/postgres/database';

/**
 * Gives up the uploads to folders that go, with what they have reserved, and answers their blobs, which are on the list of removals
 * now. One that somebody holds is left to its holder, who cannot commit it, and to the sweeper.
 */
export async function giveUpUploads(trx: Transaction, folderIds: readonly string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { blob_id: string }[] }>(
    `WITH unheld AS (
       SELECT blob_id FROM filebox.uploads WHERE parent_id = ANY (CAST(? AS bigint[])) AND lease_until < now()
       FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM filebox.uploads u USING unheld WHERE u.blob_id = unheld.blob_id RETURNING u.blob_id, u.storage_class
     )
     INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM gone RETURNING blob_id`,
    [[...folderIds]],
  );
  return rows.map(({ blob_id: blobId }) => blobId);
}
