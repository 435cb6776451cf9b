import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, rootPath, segmentsOf } from '@waybill/contracts/values/virtual-path';
import type { Database, Transaction } from '@waybill/postgres/database';
import { preferIndexes } from '@waybill/postgres/prefer-indexes';
import type { BlobRemover } from '../blobs/blob-remover.ts';
import type { FolderRequest } from '../entries/create-folder.ts';
import { transact } from '../entries/transact.ts';
import { writeCompanion } from '../entries/write-companion.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import { lockTree } from './lock-tree.ts';
import { takeFiles } from './take-files.ts';
import { takeFolders } from './take-folders.ts';
import { openTreeCursor, type TreeCursor } from './tree-cursor.ts';

/** What the deletion of a tree needs. */
export interface TreeDeletionParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
}

/** Blobs that are removed immediately; the sweeper removes the others. */
const removedSoonAtMost = 200;

/**
 * Deletes a folder with its content, each entry audited, in one transaction, with statements for thousands of entries
 * each. Only sums and a limited number of folders at a time leave the database. Throws as `Filebox.deleteFolder` does.
 */
export async function deleteTree(
  parts: TreeDeletionParts,
  request: FolderRequest & { companion?: CompanionWrite | undefined },
): Promise<void> {
  const { db, remover } = parts;
  const { vfsId, path, companion } = request;
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('operation_unsupported', { detail: 'The root cannot be deleted', names });
  const place = { vfsId, names: segmentsOf(path) };
  const blobIds = await transact(db, async (trx) => {
    await preferIndexes(trx);
    const top = await lockTree(trx, place);
    if (!top) throw new CodedError('path_not_found', { names });
    if (top.kind !== 'folder') throw new CodedError('not_a_folder', { names });
    const tree = await openTreeCursor(trx, { ...place, path });
    const taken = await takeTree(trx, tree, { ...request, ...parts, parentId: top.parentId });
    await writeCompanion(trx, companion, { kind: 'folder', id: top.id });
    return taken;
  });
  for (const blobId of blobIds) remover.removeSoon(blobId);
}

/** The caller accounts for deleted rows in total, instead of the triggers for each. */
const uncounted = "SET LOCAL filebox.counting TO 'off'; SET LOCAL filebox.releasing TO 'off'";
const counted = "SET LOCAL filebox.counting TO 'on'; SET LOCAL filebox.releasing TO 'on'";

interface Deletion extends FolderRequest, TreeDeletionParts {
  /** The id of the folder that holds the tree. */
  parentId: string;
}

/** Returns blobs that can be removed when the transaction has committed. */
async function takeTree(trx: Transaction, tree: TreeCursor, deletion: Deletion): Promise<string[]> {
  const blobIds: string[] = [];
  const blobsAtMost = () => removedSoonAtMost - blobIds.length;
  let [files, bytes, folders] = [0, 0, 0];
  await trx.raw(uncounted);
  for await (const some of tree.downwards()) {
    const discarded = await discardUploads(
      trx,
      some.map(({ id }) => id),
    );
    blobIds.push(...discarded.slice(0, blobsAtMost()));
    for await (const taken of takeFiles(trx, some, { ...deletion, blobsAtMost })) {
      files += taken.files;
      bytes += taken.bytes;
      blobIds.push(...taken.blobIds);
    }
    folders += some.length;
  }
  for await (const some of tree.upwards()) await takeFolders(trx, some, deletion);
  await trx.raw(counted);
  // The deleted folders need no counts: only the VFS and the folder that held the tree. Usage first, which is the lock
  // order everywhere.
  await trx.raw("SELECT filebox.add_to_vfs(?, ?, ?, ?, false), filebox.add_to_folder(?, 'folder', -1)", [
    deletion.vfsId,
    -bytes,
    -files,
    -folders,
    deletion.parentId,
  ]);
  return blobIds;
}

/**
 * Discards the uploads to folders that are deleted, with their reservations, and returns their blobs, which are on the
 * list of removals then. A held upload is left to its holder, who cannot commit it, and to the sweeper.
 */
async function discardUploads(trx: Transaction, folderIds: readonly string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { given_up: string[] }[] }>(
    'SELECT filebox.give_up_uploads_to(CAST(? AS bigint[])) AS given_up',
    [[...folderIds]],
  );
  return rows[0]?.given_up ?? [];
}
