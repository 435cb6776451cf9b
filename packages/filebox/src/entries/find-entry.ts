import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Entry } from '../model/entry.ts';
import { entryColumns, entryOf, type EntryRow } from './entry-row.ts';
import { openRoot } from './open-root.ts';

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
