import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendSelected } from '@waybill/outbox/append-selected-sql';
import type { Database, Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryRecordSql, recordBindings } from '../messages/entry-record-sql.ts';
import type { FolderEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import { entryColumnsOf, folderOf, type FolderRow } from './entry-row.ts';
import { openRoot } from './find-entry.ts';
import { repeatWhenHindered } from './transact.ts';

/** A folder to create, and by whom. */
export interface FolderRequest {
  vfsId: string;
  path: VirtualPath;
  origin: Origin;
}

/** Creates a folder. Throws as `Filebox.createFolder` does. */
export async function createFolder(
  { db, managerName }: { db: Database; managerName: string },
  { vfsId, path, origin, besideUploads = true }: FolderRequest & { besideUploads?: boolean },
): Promise<FolderEntry> {
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('already_exists', { names });
  const make = async (): Promise<MadeRow | undefined> => {
    const bindings = {
      vfsId,
      parents: segmentsOf(parentOf(path)),
      name: nameOf(path),
      path,
      owner: origin.userName,
      refusedBy: besideUploads ? null : origin.userName,
      dfiid: origin.dfic?.dfiid ?? null,
      ...recordBindings('folderCreated', { origin, managerName }),
    };
    return appendSelected(db, { atMost: 1, nodeId: origin.peerName }, async (given) => {
      const [row] = await runPrepared<MadeRow>(db, makeStatement, { ...bindings, ...given });
      return { result: row, appended: row === undefined || row.id === null ? 0 : 1 };
    });
  };
  let made = await repeatWhenHindered(make);
  if (made?.folder_kind === null && parentOf(path) === rootPath) {
    await openRoot(db, vfsId);
    made = await repeatWhenHindered(make);
  }
  if (made && made.id !== null) return folderOf(made, path);
  if (made?.folder_kind !== 'folder') {
    throw new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
  }
  throw new CodedError('already_exists', { names });
}

type MadeRow = (FolderRow | { id: null }) & { folder_kind: 'folder' | 'file' | null };

const makeStatement = prepareStatement(
  'filebox make folder',
  `WITH parent AS MATERIALIZED (
     SELECT id, vfs_id, kind FROM filebox.entries WHERE id = filebox.entry_at(:vfsId, CAST(:parents AS text[]))
   ), made AS (
     INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
     SELECT vfs_id, id, 'folder', :name, :owner FROM parent
     WHERE kind = 'folder' AND NOT EXISTS (
       SELECT FROM filebox.uploads u
       WHERE u.parent_id = parent.id AND u.user_name = CAST(:refusedBy AS text) AND u.name = :name AND u.resumable
     )
     ON CONFLICT (parent_id, name) DO NOTHING
     RETURNING *
   ), told AS (
     ${entryRecordSql('SELECT id, CAST(:path AS text) AS path, CAST(:dfiid AS text) AS dfiid FROM made')}
   )
   SELECT (SELECT kind FROM parent) AS folder_kind, ${entryColumnsOf('made')}
   FROM (SELECT 1) AS one LEFT JOIN made ON true`,
);

/** Inserts a folder into an existing one; undefined if the name is taken, or the parent is missing. */
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
