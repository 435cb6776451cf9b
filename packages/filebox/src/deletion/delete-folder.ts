import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf } from '@waybill/contracts/values/virtual-path';
import { appendSelected } from '@waybill/outbox/append-selected-sql';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { FolderRequest } from '../entries/create-folder.ts';
import { repeatWhenHindered, transact } from '../entries/transact.ts';
import { writeCompanion } from '../entries/write-companion.ts';
import { entryRecordSql, recordBindings } from '../messages/entry-record-sql.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import type { TreeDeletionParts } from './delete-tree.ts';

interface Outcome {
  /** `upload`: an uncommitted upload of the user, if the caller sees those. */
  outcome: 'removed' | 'missing' | 'upload' | 'file' | 'full';
  given_up: string[];
  removed_id: string | null;
}

const refusals = {
  missing: 'path_not_found',
  upload: 'not_a_folder',
  file: 'not_a_folder',
  full: 'folder_not_empty',
} as const satisfies Record<Exclude<Outcome['outcome'], 'removed'>, string>;

/** What a caller adds to the deletion of a folder. */
export interface FolderDeletionOptions {
  showsUploads?: boolean;
  /** Written in the transaction that deletes the folder. */
  companion?: CompanionWrite | undefined;
}

/** Deletes an empty folder. Throws as `Filebox.deleteFolder` does. */
export async function deleteFolder(
  { db, remover, managerName }: TreeDeletionParts,
  { vfsId, path, origin, showsUploads = false, companion }: FolderRequest & FolderDeletionOptions,
): Promise<void> {
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('operation_unsupported', { detail: 'The root cannot be deleted', names });
  const bindings = {
    vfsId,
    parents: segmentsOf(parentOf(path)),
    name: nameOf(path),
    path,
    userName: origin.userName,
    showsUploads,
    ...recordBindings('folderDeleted', { origin, managerName }),
  };
  const remove = (on: Queryable): Promise<Outcome> =>
    appendSelected(on, { atMost: 1, nodeId: origin.peerName }, async (given) => {
      const [result] = await runPrepared<Outcome>(on, removeStatement, { ...bindings, ...given });
      if (!result) throw new Error('a statement that returns one row returned none');
      return { result, appended: result.outcome === 'removed' ? 1 : 0 };
    });
  const row =
    companion === undefined
      ? await repeatWhenHindered(() => remove(db))
      : await transact(db, async (trx) => {
          const removed = await remove(trx);
          if (removed.removed_id !== null)
            await writeCompanion(trx, companion, { kind: 'folder', id: removed.removed_id });
          return removed;
        });
  if (row.outcome !== 'removed') throw new CodedError(refusals[row.outcome], { names });
  for (const blobId of row.given_up) remover.removeSoon(blobId);
}

const removeStatement = prepareStatement(
  'filebox remove folder',
  `WITH done AS MATERIALIZED (
     SELECT * FROM filebox.remove_folder(:vfsId, CAST(:parents AS text[]), CAST(:name AS text), :userName, :showsUploads)
   ), told AS (
     ${entryRecordSql(
       `SELECT removed_id AS id, CAST(:path AS text) AS path, CAST(NULL AS text) AS dfiid FROM done WHERE outcome = 'removed'`,
     )}
   )
   SELECT outcome, given_up, CASE WHEN outcome = 'removed' THEN removed_id END AS removed_id FROM done`,
);
