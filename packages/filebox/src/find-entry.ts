import { rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { entryColumns, entryOf, type EntryRow } from './entry-row.ts';
import type { Entry } from './entry.ts';
import { openRoot } from './open-root.ts';

/** What is at a path. Every VFS has a root. */
export async function findEntry(db: Queryable, vfsId: string, path: VirtualPath): Promise<Entry | undefined> {
  const row = (await rowAt(db, vfsId, path)) ?? (path === rootPath ? await rootOf(db, vfsId) : undefined);
  return row && entryOf(row, path);
}

async function rowAt(db: Queryable, vfsId: string, path: VirtualPath): Promise<EntryRow | undefined> {
  const { rows } = await db
    .raw<{ rows: EntryRow[] }>(
      `SELECT ${entryColumns} FROM filebox.entries WHERE id = filebox.entry_at(:vfsId, CAST(:names AS text[]))`,
      { vfsId, names: segmentsOf(path) },
    )
    .options({ name: 'filebox find entry' });
  return rows[0];
}

async function rootOf(db: Queryable, vfsId: string): Promise<EntryRow | undefined> {
  await openRoot(db, vfsId);
  return rowAt(db, vfsId, rootPath);
}
