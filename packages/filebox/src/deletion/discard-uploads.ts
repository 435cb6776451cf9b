import type { Transaction } from '@waybill/postgres/database';

/**
 * Discards the uploads to folders that are deleted, with their reservations, and returns their blobs, which are on the
 * list of removals then. A held upload is left to its holder, who cannot commit it, and to the sweeper.
 */
export async function discardUploads(trx: Transaction, folderIds: readonly string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { given_up: string[] }[] }>(
    'SELECT filebox.give_up_uploads_to(CAST(? AS bigint[])) AS given_up',
    [[...folderIds]],
  );
  return rows[0]?.given_up ?? [];
}
