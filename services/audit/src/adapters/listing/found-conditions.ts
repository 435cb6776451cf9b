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
import { codeConditions, ownedConditions } from './scope-sql.ts';

/** A filter as SQL. */
export interface FoundConditions {
  /** The kinds of matching records; `undefined` if the filter does not ask for any. */
  readonly kinds: string[] | undefined;
  readonly times: readonly Sql[];
  readonly others: readonly Sql[];
  /** The only condition besides the time, if it is the value of an indexed field. */
  readonly only: OnlyValue | undefined;
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
  return files ? { ...found, others: [...others, newestOfFile(whereSql(found))] } : found;
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

/**
 * Whether a record is the newest of its file among those that match: of its path, in its dataflow instance and its virtual file system.
 * A record that does not know its virtual file system, as that of a file that has expired, is of the same file. The index of files is
 * read from the record on: all searches for the records of one file read it once together, whatever of it matches. In a CASE,
 * PostgreSQL assumes that half of the records are the newest, and that the index is all that decides.
 */
function newestOfFile({ text, bindings }: Sql): Sql {
  return {
    text: `CASE WHEN (
      SELECT newer.sequence FROM audit.records AS newer
      WHERE audit.file_of(newer.dfiid, newer.entity_name) = audit.file_of(records.dfiid, records.entity_name)
        AND (newer.audit_time, newer.sequence) > (records.audit_time, records.sequence)
        AND newer.dfiid IS NOT NULL AND ${text}
        AND CASE WHEN newer.dfiid = records.dfiid AND newer.entity_name = records.entity_name
          AND coalesce(newer.virtual_file_system = records.virtual_file_system, true) THEN true ELSE false END
      ORDER BY audit.file_of(newer.dfiid, newer.entity_name), newer.audit_time, newer.sequence LIMIT 1) IS NULL
      AND records.dfiid IS NOT NULL THEN true ELSE false END`,
    bindings,
  };
}

function kindsSql(kinds: string[]): Sql {
  return { text: `${kindSql} = ANY (CAST(? AS bigint[]))`, bindings: [kinds] };
}
