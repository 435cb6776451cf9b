import { CodedError } from '@waybill/contracts/coded-error';
import { isWithin, nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Transaction } from '@waybill/postgres/database';
import type { EntryRow } from './entry-row.ts';
import { OutdatedLook } from './outdated-look.ts';

/** From where to where. */
export interface Places {
  vfsId: string;
  from: VirtualPath;
  to: VirtualPath;
}

/** What is at both ends, locked until the transaction ends. */
export interface LockedPlaces {
  source: EntryRow;
  /** Locked only where a file meets a file: nothing else takes the place of anything. */
  target: EntryRow | undefined;
  targetFolderId: string;
}

interface Look {
  source_folder_id: string | null;
  source_kind: 'folder' | 'file' | null;
  target_folder_id: string | null;
  target_kind: 'folder' | 'file' | null;
}

/**
 * Locks the entries at two paths in the order of their ids. Folders that change their place take turns within a VFS, by
 * the lock of its root before any other, so that no two of them can end up inside each other. Folders are locked before
 * files, as by whoever deletes a tree: files that change theirs, or meet another file, hold their folders first.
 * @throws CodedError `file_not_found`, `path_not_found`, `path_invalid` (into itself); OutdatedLook
 */
export async function lockPlaces(trx: Transaction, places: Places): Promise<LockedPlaces> {
  const { vfsId, from, to } = places;
  const names = { path: from, file: nameOf(from) };
  let seen = await look(trx, places);
  const turns = seen.source_kind === 'folder' && seen.source_folder_id !== seen.target_folder_id;
  if (turns) {
    await trx.raw('SELECT FROM filebox.entries WHERE vfs_id = ? AND parent_id IS NULL FOR NO KEY UPDATE', [vfsId]);
    seen = await look(trx, places);
  }
  const { source_folder_id: sourceFolderId, source_kind: sourceKind, target_folder_id: targetFolderId } = seen;
  if (sourceFolderId === null) throw new CodedError('path_not_found', { names: { ...names, path: parentOf(from) } });
  if (sourceKind === null) throw new CodedError('file_not_found', { names });
  if (sourceKind === 'folder' && from !== to && isWithin(to, from)) {
    throw new CodedError('path_invalid', { detail: 'A folder cannot be moved into itself', names });
  }
  if (targetFolderId === null)
    throw new CodedError('path_not_found', { names: { path: parentOf(to), file: nameOf(to) } });
  const meetsFile = sourceKind === 'file' && seen.target_kind === 'file';
  if (meetsFile || (sourceKind === 'file' && sourceFolderId !== targetFolderId)) {
    await holdFolders(trx, [sourceFolderId, targetFolderId]);
  }
  const sourcePlace: Place = [sourceFolderId, nameOf(from)];
  const targetPlace: Place = [targetFolderId, nameOf(to)];
  const locked = await lockRows(trx, sourcePlace, meetsFile ? targetPlace : sourcePlace);
  const source = rowAt(locked, sourcePlace);
  if (source?.kind !== sourceKind) throw new CodedError('file_not_found', { names });
  const target = meetsFile ? rowAt(locked, targetPlace) : await findUnlocked(trx, targetPlace, source);
  return { source, target, targetFolderId };
}

/** The id of a folder, and a name in it. */
type Place = readonly [folderId: string, name: string];

function rowAt(rows: readonly EntryRow[], [folderId, name]: Place): EntryRow | undefined {
  return rows.find((row) => row.parent_id === folderId && row.name === name);
}

async function look(trx: Transaction, { vfsId, from, to }: Places): Promise<Look> {
  const { rows } = await trx.raw<{ rows: Look[] }>(
    `WITH places AS (
       SELECT filebox.entry_at(:vfsId, CAST(:sourceParents AS text[])) AS source_folder_id,
         filebox.entry_at(:vfsId, CAST(:targetParents AS text[])) AS target_folder_id
     )
     SELECT source_folder_id,
       (SELECT kind FROM filebox.entries WHERE parent_id = source_folder_id AND name = :sourceName) AS source_kind,
       (SELECT id FROM filebox.entries WHERE id = target_folder_id AND kind = 'folder') AS target_folder_id,
       (SELECT kind FROM filebox.entries WHERE parent_id = target_folder_id AND name = :targetName) AS target_kind
     FROM places`,
    {
      vfsId,
      sourceParents: segmentsOf(parentOf(from)),
      sourceName: nameOf(from),
      targetParents: segmentsOf(parentOf(to)),
      targetName: nameOf(to),
    },
  );
  return rows[0] ?? { source_folder_id: null, source_kind: null, target_folder_id: null, target_kind: null };
}

/** Until the transaction ends nobody deletes them; one that is gone by now refuses the row that is to be put there. */
async function holdFolders(trx: Transaction, ids: string[]): Promise<void> {
  await trx.raw('SELECT FROM filebox.entries WHERE id = ANY (CAST(? AS bigint[])) ORDER BY id FOR KEY SHARE', [ids]);
}

/** By name, not by id: a file that is being replaced comes back as its new version. */
async function lockRows(trx: Transaction, one: Place, other: Place): Promise<EntryRow[]> {
  const { rows } = await trx.raw<{ rows: EntryRow[] }>(
    `SELECT * FROM filebox.entries WHERE (parent_id = ? AND name = ?) OR (parent_id = ? AND name = ?)
     ORDER BY id FOR UPDATE`,
    [...one, ...other],
  );
  return rows;
}

/** What is there that nothing can replace. @throws OutdatedLook when that is a file by now, and another file is to take its place */
async function findUnlocked(trx: Transaction, place: Place, source: EntryRow): Promise<EntryRow | undefined> {
  const { rows } = await trx.raw<{ rows: EntryRow[] }>(
    'SELECT * FROM filebox.entries WHERE parent_id = ? AND name = ?',
    [...place],
  );
  const [found] = rows;
  if (source.kind === 'file' && found?.kind === 'file') {
    throw new OutdatedLook('a file has come to where another one is to go');
  }
  return found;
}
