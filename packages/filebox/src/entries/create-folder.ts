import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendSelected } from '@waybill/outbox/append-selected-sql';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryRecordSql, recordBindings } from '../messages/entry-record-sql.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import type { FolderEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import { entryColumnsOf, folderOf, type FolderRow } from './entry-row.ts';
import { openRoot } from './find-entry.ts';
import { repeatWhenHindered, transact } from './transact.ts';
import { writeCompanion } from './write-companion.ts';

/** A folder to create, and by whom. */
export interface FolderRequest {
  vfsId: string;
  path: VirtualPath;
  origin: Origin;
}

/** What a caller adds to the creation of a folder. */
export interface FolderAdditions {
  besideUploads?: boolean;
  /** Written in the transaction that creates the folder. */
  companion?: CompanionWrite | undefined;
}

/** Creates a folder. Throws as `Filebox.createFolder` does. */
export async function createFolder(
  { db, managerName }: { db: Database; managerName: string },
  { vfsId, path, origin, besideUploads = true, companion }: FolderRequest & FolderAdditions,
): Promise<FolderEntry> {
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('already_exists', { names });
  const makeOn = async (on: Queryable): Promise<MadeRow | undefined> => {
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
    return appendSelected(on, { atMost: 1, nodeId: origin.peerName }, async (given) => {
      const [row] = await runPrepared<MadeRow>(on, makeStatement, { ...bindings, ...given });
      return { result: row, appended: row === undefined || row.id === null ? 0 : 1 };
    });
  };
  const make = (): Promise<MadeRow | undefined> =>
    companion === undefined
      ? repeatWhenHindered(() => makeOn(db))
      : transact(db, async (trx) => {
          const row = await makeOn(trx);
          if (row && row.id !== null) await writeCompanion(trx, companion, folderOf(row, path));
          return row;
        });
  let made = await make();
  if (made?.folder_kind === null && parentOf(path) === rootPath) {
    await openRoot(db, vfsId);
    made = await make();
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
