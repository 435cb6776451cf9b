import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf } from '@waybill/contracts/values/virtual-path';
import { appendSelected } from '@waybill/outbox/append-selected-sql';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { FolderRequest } from '../entries/create-folder.ts';
import { repeatWhenHindered } from '../entries/transact.ts';
import { entryRecordSql, recordBindings } from '../messages/entry-record-sql.ts';
import type { TreeDeletionParts } from './delete-tree.ts';

interface Outcome {
  /** `upload`: an uncommitted upload of the user, if the caller sees those. */
  outcome: 'removed' | 'missing' | 'upload' | 'file' | 'full';
  given_up: string[];
}

const refusals = {
  missing: 'path_not_found',
  upload: 'not_a_folder',
  file: 'not_a_folder',
  full: 'folder_not_empty',
} as const satisfies Record<Exclude<Outcome['outcome'], 'removed'>, string>;

/** Deletes an empty folder. Throws as `Filebox.deleteFolder` does. */
export async function deleteFolder(
  { db, remover, managerName }: TreeDeletionParts,
  { vfsId, path, origin, showsUploads = false }: FolderRequest & { showsUploads?: boolean },
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
  const row = await repeatWhenHindered(() =>
    appendSelected(db, { atMost: 1, nodeId: origin.peerName }, async (given) => {
      const [result] = await runPrepared<Outcome>(db, removeStatement, { ...bindings, ...given });
      if (!result) throw new Error('a statement that returns one row returned none');
      return { result, appended: result.outcome === 'removed' ? 1 : 0 };
    }),
  );
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
   SELECT outcome, given_up FROM done`,
);
