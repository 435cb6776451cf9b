import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { fileCodes } from '@waybill/contracts/messages/activity-facts';
import type { Queryable } from '@waybill/postgres/database';
import type { RecordScope } from '../../domain/log/record-log.ts';
import {
  allOf,
  kindConditions,
  kindSql,
  type OnlyValue,
  onlyValue,
  otherConditions,
  type Sql,
  timeConditions,
} from './filter-sql.ts';
import { isFileRenamed, newPathSql } from './renamed-sql.ts';
import { codeConditions, ownedConditions } from './scope-sql.ts';

/** A filter as SQL. */
export interface FoundConditions {
  /** The kinds of matching records; `undefined` if the filter does not ask for any. */
  readonly kinds: string[] | undefined;
  readonly times: readonly Sql[];
  readonly others: readonly Sql[];
  /** The only condition besides the time, if it is the value of an indexed field. */
  readonly only: OnlyValue | undefined;
  /** If only the newest record of each file is asked for: what a record matches that is the newest. */
  readonly matching?: Sql;
}

/** The filter that every record matches. */
export const noFilter: AuditFilter = { exact: {}, prefixes: {}, times: {} };

/** What limits the records besides their filter. */
export interface Limits {
  /** The only records that the caller may see. */
  readonly scope?: RecordScope | undefined;
  /** Only records of files, and of each file the newest that matches. */
  readonly files?: boolean;
}

/**
 * The conditions of a filter, within limits; `undefined` if no record can match. The few kinds are looked up first.
 */
export async function findConditions(
  db: Queryable,
  filter: AuditFilter,
  { scope, files = false }: Limits = {},
): Promise<FoundConditions | undefined> {
  const requested = otherConditions(filter);
  if (!requested) return undefined;
  const others = [...requested, ...ownedConditions(scope)];
  const times = timeConditions(filter);
  const ofKind = [
    ...kindConditions(filter),
    ...codeConditions(scope?.codes),
    ...codeConditions(files ? fileCodes : undefined),
  ];
  if (ofKind.length === 0) return { kinds: undefined, times, others, only: onlyValue(filter) };
  const where = allOf(ofKind);
  const rows = await select<{ kind: string }>(db, {
    ...where,
    text: `SELECT kind FROM audit.kinds WHERE ${where.text}`,
  });
  if (rows.length === 0) return undefined;
  const found = { kinds: rows.map(({ kind }) => kind), times, others, only: undefined };
  if (!files) return found;
  const matching = whereSql(found);
  return { ...found, others: [...others, newestOfFile(matching)], matching };
}

/** All of the conditions, for a statement on `audit.records`. */
export function whereSql({ kinds, times, others }: FoundConditions, more: readonly Sql[] = []): Sql {
  return allOf([...(kinds ? [kindsSql(kinds)] : []), ...times, ...others, ...more]);
}

/** Runs SQL with its bindings. */
export async function select<Row>(db: Queryable, { text, bindings }: Sql): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(text, [...bindings]);
  return rows;
}

/** Where a file is after a record of it. */
export const placeAfter = `coalesce(${newPathSql('records')}, records.entity_name)`;

/**
 * Whether a record is the newest of its file among those that match: nothing that is newer was done to its path, or has put a file there,
 * in its dataflow instance and its virtual file system. The path of a rename is the one after it, so that what comes next follows it.
 * A record that does not know its virtual file system, as that of a file that has expired, is of the same file. In a CASE, PostgreSQL
 * assumes that half of the records are the newest, and that the indexes are all that decides. `place`: where the file is. Default: where it
 * is after the record.
 */
export function newestOfFile(matching: Sql, place: Sql = { text: placeAfter, bindings: [] }): Sql {
  const newer = [
    newerSql(matching, place, { path: 'newer.entity_name', isIndexed: 'newer.dfiid IS NOT NULL' }),
    newerSql(matching, place, { path: newPathSql('newer'), isIndexed: `newer.${isFileRenamed}` }),
  ];
  return {
    text: `CASE WHEN records.dfiid IS NOT NULL AND ${newer.map(({ text }) => `(${text}) IS NULL`).join(' AND ')}
      THEN true ELSE false END`,
    bindings: newer.flatMap(({ bindings }) => bindings),
  };
}

/**
 * A newer record that matches and has the file at a path. The index is read from the record on: all searches for the records of one file
 * read it once together, whatever of it matches.
 */
function newerSql(
  { text, bindings }: Sql,
  place: Sql,
  { path, isIndexed }: { readonly path: string; readonly isIndexed: string },
): Sql {
  const file = `audit.file_of(newer.dfiid, ${path})`;
  return {
    text: `SELECT newer.sequence FROM audit.records AS newer
      WHERE ${file} = audit.file_of(records.dfiid, ${place.text})
        AND (newer.audit_time, newer.sequence) > (records.audit_time, records.sequence)
        AND ${isIndexed} AND ${text}
        AND CASE WHEN newer.dfiid = records.dfiid AND ${path} = ${place.text}
          AND coalesce(newer.virtual_file_system = records.virtual_file_system, true) THEN true ELSE false END
      ORDER BY ${file}, newer.audit_time, newer.sequence LIMIT 1`,
    bindings: [...place.bindings, ...bindings, ...place.bindings],
  };
}

function kindsSql(kinds: string[]): Sql {
  return { text: `${kindSql} = ANY (CAST(? AS bigint[]))`, bindings: [kinds] };
}
