import { rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryColumns, entryOf, type EntryRow } from './entry-row.ts';
import type { Entry } from './entry.ts';
import { openRoot } from './open-root.ts';

/** What is at a path. Every VFS has a root. */
export async function findEntry(db: Queryable, vfsId: string, path: VirtualPath): Promise<Entry | undefined> {
  const row = (await rowAt(db, vfsId, path)) ?? (path === rootPath ? await rootOf(db, vfsId) : undefined);
  return row && entryOf(row, path);
}

async function rowAt(db: Queryable, vfsId: string, path: VirtualPath): Promise<EntryRow | undefined> {
  const [row] = await runPrepared<EntryRow>(db, findStatement, { vfsId, names: segmentsOf(path) });
  return row;
}

const findStatement = prepareStatement(
  'filebox find entry',
  `SELECT ${entryColumns} FROM filebox.entries WHERE id = filebox.entry_at(:vfsId, CAST(:names AS text[]))`,
);

async function rootOf(db: Queryable, vfsId: string): Promise<EntryRow | undefined> {
  await openRoot(db, vfsId);
  return rowAt(db, vfsId, rootPath);
}
