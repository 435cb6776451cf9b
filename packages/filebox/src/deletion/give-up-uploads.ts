import type { Transaction } from '@waybill/postgres/database';

/**
 * Gives up the uploads to folders that go, with what they have reserved, and answers their blobs, which are on the list of removals
 * now. One that somebody holds is left to its holder, who cannot commit it, and to the sweeper.
 */
export async function giveUpUploads(trx: Transaction, folderIds: readonly string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { given_up: string[] }[] }>(
    'SELECT filebox.give_up_uploads_to(CAST(? AS bigint[])) AS given_up',
    [[...folderIds]],
  );
  return rows[0]?.given_up ?? [];
}
