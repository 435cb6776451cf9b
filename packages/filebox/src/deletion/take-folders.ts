import { appendSelected } from '@waybill/outbox/append-selected-sql';
import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryRecordSql, recordBindings, type Deleter } from '../messages/entry-record-sql.ts';
import type { PlacedFolder } from './tree-cursor.ts';

/** Deletes locked folders that contain nothing but each other, with their audit records, in the given order. */
export async function takeFolders(trx: Transaction, folders: readonly PlacedFolder[], deleter: Deleter): Promise<void> {
  const bindings = {
    ...recordBindings('folderDeleted', deleter),
    ids: folders.map(({ id }) => id),
    paths: folders.map(({ path }) => path),
    dfiid: deleter.origin.dfic?.dfiid ?? null,
  };
  await appendSelected(trx, { atMost: folders.length, nodeId: deleter.origin.peerName }, async (given) => {
    const appended = await runPrepared(trx, takeStatement, { ...bindings, ...given });
    return { result: undefined, appended: appended.length };
  });
}

const takeStatement = prepareStatement(
  'filebox take folders',
  `WITH gone AS (
     DELETE FROM filebox.entries e
     USING unnest(CAST(:ids AS bigint[]), CAST(:paths AS text[])) WITH ORDINALITY AS folder (id, path, place)
     WHERE e.id = folder.id RETURNING e.id, folder.path, folder.place
   )
   ${entryRecordSql('SELECT id, path, CAST(:dfiid AS text) AS dfiid FROM gone ORDER BY place')} RETURNING 1`,
);
