import { CodedError } from '@waybill/contracts/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import { auditMessage } from './audit-message.ts';
import type { FolderRequest } from './create-folder.ts';
import type { TreeDeletionParts } from './delete-tree.ts';
import { entryOf, type EntryRow } from './entry-row.ts';
import { giveUpUploads } from './give-up-uploads.ts';
import { transact } from './transact.ts';

/** Deletes an empty folder. Throws what `Filebox.deleteFolder` says. */
export async function deleteFolder(
  { db, remover, managerName }: TreeDeletionParts,
  { vfsId, path, origin, showsPartials = false }: FolderRequest & { showsPartials?: boolean },
): Promise<void> {
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('operation_unsupported', { detail: 'The root cannot be deleted', names });
  const givenUp = await transact(db, async (trx) => {
    const row = await lockEntry(trx, vfsId, path);
    if (!row) {
      const isUpload = showsPartials && (await isPartialOf(trx, { vfsId, path }, origin.userName));
      throw new CodedError(isUpload ? 'not_a_folder' : 'path_not_found', { names });
    }
    if (row.kind !== 'folder') throw new CodedError('not_a_folder', { names });
    const shown = showsPartials && (await holdsPartialOf(trx, row.id, origin.userName));
    if (shown || !(await deleteIfEmpty(trx, row.id))) throw new CodedError('folder_not_empty', { names });
    await appendToOutbox(trx, [
      auditMessage({ fact: 'folderDeleted', entry: entryOf(row, path), origin, managerName }),
    ]);
    return giveUpUploads(trx, [row.id]);
  });
  for (const blobId of givenUp) remover.removeSoon(blobId);
}

/** From here on nothing can be put into the folder: whoever wants to waits for this transaction. */
async function lockEntry(trx: Transaction, vfsId: string, path: VirtualPath): Promise<EntryRow | undefined> {
  const { rows } = await trx.raw<{ rows: EntryRow[] }>(
    `SELECT * FROM filebox.entries
     WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name FOR UPDATE`,
    { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path) },
  );
  return rows[0];
}

/** A statement of its own, so that it sees what was put into the folder just before it was locked. */
async function deleteIfEmpty(trx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `DELETE FROM filebox.entries
     WHERE id = :id AND NOT EXISTS (SELECT FROM filebox.entries AS child WHERE child.parent_id = :id)`,
    { id },
  );
  return rowCount > 0;
}

async function holdsPartialOf(trx: Transaction, id: string, userName: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { holds: boolean }[] }>(
    `SELECT EXISTS (
       SELECT FROM filebox.uploads WHERE parent_id = :id AND user_name = :userName AND resumable
     ) AS holds`,
    { id, userName },
  );
  return rows[0]?.holds === true;
}

async function isPartialOf(
  trx: Transaction,
  { vfsId, path }: Pick<FolderRequest, 'vfsId' | 'path'>,
  userName: string,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `SELECT FROM filebox.uploads
     WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND user_name = :userName AND name = :name
       AND resumable LIMIT 1`,
    { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path), userName },
  );
  return rows.length > 0;
}
