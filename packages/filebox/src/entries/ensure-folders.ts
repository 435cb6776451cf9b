import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, segmentsOf, virtualPathOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database, Transaction } from '@waybill/postgres/database';
import { preferIndexes } from '@waybill/postgres/prefer-indexes';
import { insertFolder } from './create-folder.ts';
import { openRoot, requireFolder } from './find-entry.ts';
import { transact } from './transact.ts';

/**
 * Creates the missing folders and returns them. @throws CodedError `not_a_folder` if a file has the name, and the
 * errors of limits
 */
export async function ensureFolders(
  db: Database,
  vfsId: string,
  paths: readonly VirtualPath[],
): Promise<VirtualPath[]> {
  await openRoot(db, vfsId);
  const made: VirtualPath[] = [];
  for (const path of withAncestors(paths)) {
    const folder = await transact(db, (trx) => insertFolder(trx, { vfsId, path, owner: '' }));
    if (folder) made.push(path);
    else await requireFolder(db, vfsId, path);
  }
  return made;
}

/** Folders that a VFS is to have. */
export interface WantedFolders {
  readonly vfsId: string;
  readonly paths: readonly VirtualPath[];
}

/** How many VFSs a transaction serves: each of them has a lock. */
const systemsAtOnce = 200;

/**
 * Creates the missing folders of many VFSs with few statements, and returns them by VFS. VFSs whose folders cannot be
 * created are left out, with those of the same transaction: `ensureFolders` creates what it can, and has the reason.
 */
export async function ensureManyFolders(
  db: Database,
  wanted: readonly WantedFolders[],
): Promise<ReadonlyMap<string, VirtualPath[]>> {
  const made = new Map<string, VirtualPath[]>();
  for (let at = 0; at < wanted.length; at += systemsAtOnce) {
    const some = wanted.slice(at, at + systemsAtOnce);
    const folders = await transact(db, (trx) => insertMany(trx, some)).catch((error: unknown) => {
      if (isCodedError(error)) return undefined;
      throw error;
    });
    for (const [vfsId, paths] of folders ?? []) made.set(vfsId, paths);
  }
  return made;
}

/** @throws CodedError `not_a_folder`, and the errors of limits */
async function insertMany(trx: Transaction, wanted: readonly WantedFolders[]): Promise<Map<string, VirtualPath[]>> {
  const made = new Map(wanted.map(({ vfsId }): [string, VirtualPath[]] => [vfsId, []]));
  await preferIndexes(trx);
  await trx.raw(rootsSql, { ids: [...made.keys()].toSorted() });
  const folders = wanted.flatMap(({ vfsId, paths }) => withAncestors(paths).map((path) => ({ vfsId, path })));
  const levels = Map.groupBy(folders, ({ path }) => segmentsOf(path).length);
  for (const [, level] of [...levels].toSorted(([one], [other]) => one - other)) {
    const rows = level.map(({ vfsId, path }) => ({
      vfs_id: vfsId,
      path,
      parents: segmentsOf(parentOf(path)),
      name: nameOf(path),
    }));
    const { rows: found } = await trx.raw<{ rows: MadeFolder[] }>(levelSql, { folders: JSON.stringify(rows) });
    for (const { vfs_id: vfsId, path } of found) made.get(vfsId)?.push(path);
    const isMade = new Set(found.map(({ vfs_id: vfsId, path }) => `${vfsId}${path}`));
    for (const { vfsId, path } of level) if (!isMade.has(`${vfsId}${path}`)) await requireFolder(trx, vfsId, path);
  }
  return made;
}

interface MadeFolder {
  readonly vfs_id: string;
  readonly path: VirtualPath;
}

const rootsSql = `
  INSERT INTO filebox.entries (vfs_id, kind, name, owner)
  SELECT id, 'folder', '', '' FROM unnest(CAST(:ids AS text[])) AS id
  ON CONFLICT (vfs_id) WHERE parent_id IS NULL DO NOTHING`;

/** The rows in the order of their VFSs, so that two of these do not wait for each other. */
const levelSql = `
  WITH wanted AS MATERIALIZED (
    SELECT w.*, filebox.entry_at(w.vfs_id, w.parents) AS parent_id
    FROM jsonb_to_recordset(CAST(:folders AS jsonb)) AS w (vfs_id text, path text, parents text[], name text)
  ), made AS (
    INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
    SELECT w.vfs_id, p.id, 'folder', w.name, '' FROM wanted w JOIN filebox.entries p ON p.id = w.parent_id
    WHERE p.kind = 'folder' ORDER BY w.vfs_id, w.path
    ON CONFLICT (parent_id, name) DO NOTHING
    RETURNING parent_id, name
  )
  SELECT w.vfs_id, w.path FROM wanted w JOIN made USING (parent_id, name) ORDER BY w.vfs_id, w.path`;

/** Each path once, after its ancestors. */
function withAncestors(paths: readonly VirtualPath[]): VirtualPath[] {
  const wanted = new Set<VirtualPath>();
  for (const path of paths) {
    const segments = segmentsOf(path);
    for (let depth = 1; depth <= segments.length; depth += 1) wanted.add(virtualPathOf(segments.slice(0, depth)));
  }
  return [...wanted];
}
