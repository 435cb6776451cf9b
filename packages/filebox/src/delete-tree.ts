import { CodedError } from '@waybill/contracts/coded-error';
import { joinVirtualPath, nameOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import { auditMessage } from './audit-message.ts';
import type { BlobRemover } from './blob-remover.ts';
import type { FolderRequest } from './create-folder.ts';
import { entryOf, type EntryRow, type FileRow } from './entry-row.ts';
import type { Entry } from './entry.ts';
import { lockTree } from './lock-tree.ts';
import { transact } from './transact.ts';

/** What deleting a tree works with. */
export interface TreeDeletionParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
}

/** Records that are handed over at once. */
const batch = 500;

/** Deletes a folder with all that is in it, each on the record, in one transaction. Throws what `Filebox.deleteFolder` says. */
export async function deleteTree(parts: TreeDeletionParts, request: FolderRequest): Promise<void> {
  const { db, remover, managerName } = parts;
  const { vfsId, path, origin } = request;
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('operation_unsupported', { detail: 'The root cannot be deleted', names });
  const blobIds = await transact(db, async (trx) => {
    const rows = await lockTree(trx, vfsId, segmentsOf(path));
    if (rows === undefined) throw new CodedError('path_not_found', { names });
    const [top, ...below] = rows;
    if (top?.kind !== 'folder') throw new CodedError('not_a_folder', { names });
    const folders = placedFolders(path, [top, ...below]);
    // Folders count what is in them: that is to be brought up to date while they are still there.
    await trx.raw('SET CONSTRAINTS filebox.account_entry, filebox.count_entry IMMEDIATE');
    const files = await takeFiles(trx, [...folders.keys()]);
    const fileEntries = files.map((row) => entryOf(row, joinVirtualPath(parentOf(folders, row).path, row.name)));
    const folderEntries = [...folders.values()].toReversed();
    for (const { id } of folderEntries) await trx.raw('DELETE FROM filebox.entries WHERE id = ?', [id]);
    await recordDeletions(trx, [...fileEntries, ...folderEntries], { origin, managerName });
    return files.map(({ blob_id: blobId }) => blobId);
  });
  for (const blobId of blobIds) remover.removeSoon(blobId);
}

/** Folders by their ids, each after the one that holds it. */
function placedFolders(top: VirtualPath, rows: readonly EntryRow[]): Map<string, Entry> {
  const placed = new Map<string, Entry>();
  for (const row of rows) {
    const parent = row.parent_id === null ? undefined : placed.get(row.parent_id);
    placed.set(row.id, entryOf(row, parent === undefined ? top : joinVirtualPath(parent.path, row.name)));
  }
  return placed;
}

function parentOf(folders: ReadonlyMap<string, Entry>, { parent_id: parentId }: EntryRow): Entry {
  const parent = folders.get(parentId ?? '');
  if (parent === undefined) throw new Error('a file was taken out of a folder that is not being deleted');
  return parent;
}

async function takeFiles(trx: Transaction, folderIds: string[]): Promise<FileRow[]> {
  const { rows } = await trx.raw<{ rows: FileRow[] }>(
    `WITH gone AS (
       DELETE FROM filebox.entries WHERE parent_id = ANY (CAST(? AS bigint[])) AND kind = 'file' RETURNING *
     )
     SELECT * FROM gone ORDER BY id`,
    [folderIds],
  );
  return rows;
}

async function recordDeletions(
  trx: Transaction,
  entries: readonly Entry[],
  by: Pick<FolderRequest, 'origin'> & { managerName: string },
): Promise<void> {
  for (let start = 0; start < entries.length; start += batch) {
    const messages = entries
      .slice(start, start + batch)
      .map((entry) => auditMessage({ fact: entry.kind === 'file' ? 'fileDeleted' : 'folderDeleted', entry, ...by }));
    await appendToOutbox(trx, messages);
  }
}
