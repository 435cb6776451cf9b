import { CodedError } from '@waybill/contracts/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import { auditMessage } from './audit-message.ts';
import { folderOf, type FolderRow } from './entry-row.ts';
import type { FolderEntry } from './entry.ts';
import { findEntry } from './find-entry.ts';
import type { Origin } from './origin.ts';
import { transact } from './transact.ts';

/** A folder to be made, and by whom. */
export interface FolderRequest {
  vfsId: string;
  path: VirtualPath;
  origin: Origin;
}

/** Makes a folder. Throws what `Filebox.createFolder` says. */
export async function createFolder(
  { db, managerName }: { db: Database; managerName: string },
  { vfsId, path, origin }: FolderRequest,
): Promise<FolderEntry> {
  const names = { path, file: nameOf(path) };
  const assertParent = async (): Promise<void> => {
    const parent = await findEntry(db, vfsId, parentOf(path));
    if (parent?.kind !== 'folder')
      throw new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
  };
  await assertParent();
  const made = await transact(db, async (trx) => {
    const folder = path === rootPath ? undefined : await insertFolder(trx, { vfsId, path, owner: origin.userName });
    if (folder)
      await appendToOutbox(trx, [auditMessage({ fact: 'folderCreated', entry: folder, origin, managerName })]);
    return folder;
  });
  if (made) return made;
  // Something of its name is there, unless the parent went meanwhile.
  await assertParent();
  throw new CodedError('already_exists', { names });
}

/** Inserts a folder into one that is there; undefined when there is something of its name, or no parent. */
export async function insertFolder(
  db: Transaction,
  { vfsId, path, owner }: { vfsId: string; path: VirtualPath; owner: string },
): Promise<FolderEntry | undefined> {
  const { rows } = await db.raw<{ rows: FolderRow[] }>(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
     SELECT vfs_id, id, 'folder', :name, :owner FROM filebox.entries
     WHERE id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND kind = 'folder'
     ON CONFLICT (parent_id, name) DO NOTHING
     RETURNING *`,
    { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path), owner },
  );
  return rows[0] && folderOf(rows[0], path);
}
