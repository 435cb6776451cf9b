import type { Database, Queryable } from '@waybill/postgres/database';
import { type NameRun, nameRunOf } from '../patterns/name-run.ts';
import { bytesOfNames, type FolderNames } from './folder-names.ts';

/** Which folders' names are kept, and how they are read. */
export interface KeepingBounds {
  /** For folders with fewer entries an index counts as quickly. */
  readonly entriesAtLeast: number;
  readonly bytesAtMost: number;
  /** Names that one statement reads. */
  readonly namesAtATime: number;
}

interface FolderRow {
  state: string | null;
  entries: string;
}

interface NamesRow {
  files: string | null;
  file_count: string;
  folders: string | null;
  folder_count: string;
  last: string | null;
}

/**
 * Reads all names of a folder in one state, in parts: half a second for a million. Undefined for a folder that is too
 * small, or whose names take too much memory.
 */
export async function readFolderNames(
  db: Database,
  folderId: string,
  { entriesAtLeast, bytesAtMost, namesAtATime }: KeepingBounds,
): Promise<FolderNames | undefined> {
  const oneMoment = { isolationLevel: 'repeatable read', readOnly: true } as const;
  return db.transaction(async (snapshot) => {
    const { state, entries } = await readFolder(snapshot, folderId);
    if (state === null || entries < entriesAtLeast) return undefined;
    const names = { state, files: new Array<NameRun>(), folders: new Array<NameRun>() };
    for (let after = '', read = 0; ;) {
      const row = await readNames(snapshot, folderId, { after, namesAtATime });
      if (row === undefined || row.last === null) return names;
      const { files, folders, last } = row;
      if (files !== null) names.files.push(nameRunOf(files, Number(row.file_count)));
      if (folders !== null) names.folders.push(nameRunOf(folders, Number(row.folder_count)));
      after = last;
      read += Number(row.file_count) + Number(row.folder_count);
      // An estimate from the names read so far.
      if ((bytesOfNames(names) / read) * Math.max(entries, read) > bytesAtMost) return undefined;
    }
  }, oneMoment);
}

async function readFolder(db: Queryable, folderId: string) {
  const { rows } = await db.raw<{ rows: FolderRow[] }>(
    `SELECT filebox.folder_state(:folderId) AS state, COALESCE(sum(files + folders), 0) AS entries
     FROM filebox.folder_counts WHERE folder_id = :folderId`,
    { folderId },
  );
  return { state: rows[0]?.state ?? null, entries: Number(rows[0]?.entries ?? 0) };
}

async function readNames(
  db: Queryable,
  folderId: string,
  { after, namesAtATime }: { after: string; namesAtATime: number },
): Promise<NamesRow | undefined> {
  const listOf = (kind: 'file' | 'folder'): string =>
    `string_agg(name, '/' ORDER BY name) FILTER (WHERE kind = '${kind}') AS ${kind}s,
     count(*) FILTER (WHERE kind = '${kind}') AS ${kind}_count`;
  const { rows } = await db.raw<{ rows: NamesRow[] }>(
    `SELECT ${listOf('file')}, ${listOf('folder')}, max(name) AS last
     FROM (SELECT name, kind FROM filebox.entries WHERE parent_id = :folderId AND name > :after
       ORDER BY name LIMIT :namesAtATime) AS next`,
    { folderId, after, namesAtATime },
  );
  return rows[0];
}
