import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Entry, FolderEntry } from '../model/entry.ts';
import { entryColumns, entryOf, type EntryRow } from './entry-row.ts';

/** The entry at a path. Every VFS has a root. */
export async function findEntry(db: Queryable, vfsId: string, path: VirtualPath): Promise<Entry | undefined> {
  const row = await (path === rootPath ? rootOf(db, vfsId) : rowAt(db, vfsId, path));
  return row && entryOf(row, path);
}

async function rowAt(db: Queryable, vfsId: string, path: VirtualPath): Promise<EntryRow | undefined> {
  const place = { parents: segmentsOf(parentOf(path)), name: nameOf(path) };
  const [row] = await runPrepared<EntryRow>(db, findStatement, { vfsId, ...place });
  return row;
}

const findStatement = prepareStatement(
  'filebox find entry',
  `SELECT ${entryColumns} FROM filebox.entries
   WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name`,
);

async function rootOf(db: Queryable, vfsId: string): Promise<EntryRow | undefined> {
  const find = () => runPrepared<EntryRow>(db, findRootStatement, { vfsId });
  const [row] = await find();
  if (row) return row;
  await openRoot(db, vfsId);
  return (await find())[0];
}

const findRootStatement = prepareStatement(
  'filebox find root',
  `SELECT ${entryColumns} FROM filebox.entries WHERE vfs_id = :vfsId AND parent_id IS NULL`,
);

/** The folder at a path. @throws CodedError `path_not_found`, `not_a_folder` */
export async function requireFolder(db: Queryable, vfsId: string, path: VirtualPath): Promise<FolderEntry> {
  const entry = await findEntry(db, vfsId, path);
  const names = { path, file: nameOf(path) };
  if (!entry) throw new CodedError('path_not_found', { names });
  if (entry.kind !== 'folder') throw new CodedError('not_a_folder', { names });
  return entry;
}

/** The reason why there is no file at a path: `path_not_found` (its folder), `not_a_file` or `file_not_found`. */
export async function missingFileError(db: Queryable, vfsId: string, path: VirtualPath): Promise<CodedError> {
  const names = { path, file: nameOf(path) };
  const entry = await findEntry(db, vfsId, path);
  if (entry?.kind === 'folder') return new CodedError('not_a_file', { names });
  const folder = await findEntry(db, vfsId, parentOf(path));
  if (folder?.kind !== 'folder') return new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
  return new CodedError('file_not_found', { names });
}

/** Creates the root of a VFS if it has none yet. The first access to a VFS creates its root. */
export async function openRoot(db: Queryable, vfsId: string): Promise<void> {
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, kind, name, owner) VALUES (?, 'folder', '', '')
     ON CONFLICT (vfs_id) WHERE parent_id IS NULL DO NOTHING`,
    [vfsId],
  );
}
