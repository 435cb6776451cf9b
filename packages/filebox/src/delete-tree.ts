import { CodedError } from '@waybill/contracts/coded-error';
import { nameOf, pathOfStored, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import { auditMessage } from './audit-message.ts';
import type { BlobRemover } from './blob-remover.ts';
import type { FolderRequest } from './create-folder.ts';
import { entryOf, fileOf, type EntryRow, type FileRow } from './entry-row.ts';
import type { Entry, FileEntry } from './entry.ts';
import { giveUpUploads } from './give-up-uploads.ts';
import { lockTree } from './lock-tree.ts';
import { transact } from './transact.ts';

/** What deleting a tree works with. */
export interface TreeDeletionParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
}

/** Files and folders that are taken away, and put on the record, at once. */
const batch = 500;

/** Folders whose files are looked for at once. */
const foldersAtOnce = 100;

/** Blobs that are removed without delay; what is beyond that is the sweeper's. */
const removedSoonAtMost = 200;

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
    const blobIds = (await giveUpUploads(trx, [...folders.keys()])).slice(0, removedSoonAtMost);
    const record = (entries: readonly Entry[]) => recordDeletions(trx, entries, { origin, managerName });
    // Nobody counts what is in folders that go: only the one that holds the top is to be brought up to date.
    await trx.raw('SET CONSTRAINTS filebox.account_entry, filebox.count_entry IMMEDIATE');
    await trx.raw("SET LOCAL filebox.counting TO 'off'");
    let [fileCount, bytes] = [0, 0];
    for await (const files of takeFiles(trx, folders)) {
      await record(files);
      fileCount += files.length;
      bytes += files.reduce((sum, { size }) => sum + size, 0);
      for (const { blobId } of files) if (blobIds.length < removedSoonAtMost) blobIds.push(blobId);
    }
    const entries = [...folders.values()];
    const topEntry = entries.slice(0, 1);
    for (const some of chunksOf(entries.slice(1).toReversed(), batch)) {
      await takeFolders(trx, some);
      await record(some);
    }
    await trx.raw("SET LOCAL filebox.counting TO 'on'");
    const gone = [vfsId, -bytes, -fileCount, 1 - entries.length];
    await trx.raw('SELECT filebox.add_to_vfs(?, ?, ?, ?, false)', gone);
    await takeFolders(trx, topEntry);
    await record(topEntry);
    return blobIds;
  });
  for (const blobId of blobIds) remover.removeSoon(blobId);
}

/** Folders by their ids, each after the one that holds it. */
function placedFolders(top: VirtualPath, rows: readonly EntryRow[]): Map<string, Entry> {
  const placed = new Map<string, Entry>();
  for (const row of rows) {
    const parent = row.parent_id === null ? undefined : placed.get(row.parent_id);
    placed.set(row.id, entryOf(row, parent === undefined ? top : pathOfStored(parent.path, row.name)));
  }
  return placed;
}

function parentOf(folders: ReadonlyMap<string, Entry>, { parent_id: parentId }: EntryRow): Entry {
  const parent = folders.get(parentId ?? '');
  if (parent === undefined) throw new Error('a file was taken out of a folder that is not being deleted');
  return parent;
}

/** Takes the files of folders away, some at a time, so that memory does not grow with their number. */
async function* takeFiles(trx: Transaction, folders: ReadonlyMap<string, Entry>): AsyncGenerator<FileEntry[]> {
  for (const folderIds of chunksOf([...folders.keys()], foldersAtOnce)) {
    for (let taken = batch; taken === batch;) {
      const { rows } = await trx.raw<{ rows: FileRow[] }>(
        `WITH next AS (
           SELECT id FROM filebox.entries WHERE parent_id = ANY (CAST(? AS bigint[])) AND kind = 'file' LIMIT ?
         ), gone AS (
           DELETE FROM filebox.entries e USING next WHERE e.id = next.id RETURNING e.*
         )
         SELECT * FROM gone ORDER BY id`,
        [folderIds, batch],
      );
      taken = rows.length;
      yield rows.map((row) => fileOf(row, pathOfStored(parentOf(folders, row).path, row.name)));
    }
  }
}

async function takeFolders(trx: Transaction, folders: readonly Entry[]): Promise<void> {
  const ids = folders.map(({ id }) => id);
  await trx.raw('DELETE FROM filebox.entries WHERE id = ANY (CAST(? AS bigint[]))', [ids]);
}

async function recordDeletions(
  trx: Transaction,
  entries: readonly Entry[],
  by: Pick<FolderRequest, 'origin'> & { managerName: string },
): Promise<void> {
  const messages = entries.map((entry) =>
    auditMessage({ fact: entry.kind === 'file' ? 'fileDeleted' : 'folderDeleted', entry, ...by }),
  );
  if (messages.length > 0) await appendToOutbox(trx, messages);
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
