import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import type { Queryable } from '@waybill/postgres/database';
import type { RecordScope } from '../../domain/log/record-log.ts';
import { allOf } from './filter-sql.ts';
import { select } from './found-conditions.ts';
import { newPathSql } from './renamed-sql.ts';
import { ownedConditions } from './scope-sql.ts';

/** Where files that are sought by their path were before folders above it were renamed. */
export interface FormerPlace {
  /** The filter, with the path, the virtual file system and the time of this place. */
  readonly filter: AuditFilter;
  /** The path of this place, or its beginning. */
  readonly path: string;
  /** The places after it, up to the one that is sought. */
  readonly later: readonly Pick<FormerPlace, 'filter' | 'path'>[];
}

/** Former places that are looked at, those of the newest renames first: each is one more search, which leaves out what the others find. */
const placesAtMost = 8;

/** Folders above a path that are looked at, the deepest first. */
const foldersAtMost = 64;

/** In the words of the indexes. */
const isFolderRenamed = `audit_code = '${auditCatalogue.folderRenamed.code}'`;

interface Rename {
  readonly former: string;
  readonly present: string;
  readonly at: Date;
  readonly sequence: string;
  readonly vfs: string;
}

/**
 * The former places of the files that a filter seeks by their path, after any number of renames. A rename of a folder is one record,
 * whatever is in it: the renames that have led to a folder above the path are looked up, and those before them.
 */
export async function findFormerPlaces(
  db: Queryable,
  filter: AuditFilter,
  scope: RecordScope | undefined,
): Promise<readonly FormerPlace[]> {
  const path = filter.exact.filePath ?? filter.prefixes.filePath;
  if (path === undefined) return [];
  const found: FormerPlace[] = [];
  const waiting: FormerPlace[] = [{ filter, path, later: [] }];
  for (let place = waiting.shift(); place; place = waiting.shift()) {
    for (const rename of await renamesTo(db, place, scope)) {
      if (found.length >= placesAtMost) return found;
      const former = await placeBefore(db, place, rename);
      found.push(former);
      waiting.push(former);
    }
  }
  return found;
}

/** The renames that have led to a folder above a place, the newest first. */
async function renamesTo(
  db: Queryable,
  { path, filter }: FormerPlace,
  scope: RecordScope | undefined,
): Promise<readonly Rename[]> {
  const { toAuditTime, auditTime } = filter.times;
  const until = toAuditTime ?? auditTime;
  const vfs = filter.exact.virtualFileSystem;
  const key = `left(${newPathSql()}, 100)`;
  const where = allOf([
    { text: isFolderRenamed, bindings: [] },
    { text: `${key} = left(folder.path, 100) AND ${newPathSql()} = folder.path`, bindings: [] },
    { text: 'virtual_file_system IS NOT NULL', bindings: [] },
    ...(until ? [{ text: 'audit_time <= ?', bindings: [until] }] : []),
    ...(vfs === undefined ? [] : [{ text: 'virtual_file_system = ?', bindings: [vfs] }]),
    ...ownedConditions(scope),
  ]);
  return select<Rename>(db, {
    text: `SELECT renamed.*
      FROM (SELECT path COLLATE "C" AS path FROM unnest(CAST(? AS text[])) AS given (path)) AS folder
      CROSS JOIN LATERAL (
        SELECT entity_name AS former, folder.path AS present, audit_time AS at, CAST(sequence AS text) AS sequence,
          virtual_file_system AS vfs
        FROM audit.records WHERE ${where.text}
        ORDER BY ${key} DESC, audit_time DESC, records.sequence DESC LIMIT ${placesAtMost}
      ) AS renamed
      ORDER BY at DESC, CAST(sequence AS bigint) DESC LIMIT ${placesAtMost}`,
    bindings: [foldersAbove(path), ...where.bindings],
  });
}

/** Where files were before a rename: from the time on at which a folder above that place was renamed before. */
async function placeBefore(db: Queryable, place: FormerPlace, rename: Rename): Promise<FormerPlace> {
  const { filter, later } = place;
  const path = rename.former + place.path.slice(rename.present.length);
  const { exact, prefixes, times } = filter;
  const begun = await lastRenameFrom(db, foldersAbove(path), rename);
  const from = [begun, times.fromAuditTime].flatMap((time) => time ?? []).toSorted((one, other) => +other - +one)[0];
  const isExact = exact.filePath !== undefined;
  return {
    path,
    later: [...later, { filter, path: place.path }],
    filter: {
      exact: { ...exact, virtualFileSystem: rename.vfs, ...(isExact && { filePath: path }) },
      prefixes: { ...prefixes, ...(!isExact && { filePath: path }) },
      times: { ...times, toAuditTime: rename.at, ...(from && { fromAuditTime: from }) },
    },
  };
}

/** When one of some folders was last given another name before a rename, in its virtual file system. */
async function lastRenameFrom(
  db: Queryable,
  folders: string[],
  { vfs, at, sequence }: Rename,
): Promise<Date | undefined> {
  const [row] = await select<{ at: Date | null }>(db, {
    text: `SELECT max(renamed.at) AS at
      FROM (SELECT path COLLATE "C" AS path FROM unnest(CAST(? AS text[])) AS given (path)) AS folder
      CROSS JOIN LATERAL (
        SELECT audit_time AS at FROM audit.records
        WHERE ${isFolderRenamed} AND left(entity_name, 100) = left(folder.path, 100) AND entity_name = folder.path
          AND virtual_file_system = ? AND (audit_time, sequence) < (CAST(? AS timestamptz), CAST(? AS bigint))
        ORDER BY left(entity_name, 100) DESC, audit_time DESC, sequence DESC LIMIT 1
      ) AS renamed`,
    bindings: [folders, vfs, at, sequence],
  });
  return row?.at ?? undefined;
}

/** The folders above a path, or above those that begin with it, the deepest first. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0 && folders.length < foldersAtMost; end = path.lastIndexOf('/', end - 1))
    folders.push(path.slice(0, end));
  return folders;
}
