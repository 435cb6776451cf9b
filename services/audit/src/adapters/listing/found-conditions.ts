import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
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

/**
 * The conditions of a filter, within a scope if there is one; `undefined` if no record can match. The few kinds are looked up
 * first.
 */
export async function findConditions(
  db: Queryable,
  filter: AuditFilter,
  scope?: RecordScope,
): Promise<FoundConditions | undefined> {
  const requested = otherConditions(filter);
  if (!requested) return undefined;
  const others = [...requested, ...ownedConditions(scope)];
  const times = timeConditions(filter);
  const ofKind = [...kindConditions(filter), ...codeConditions(scope)];
  if (ofKind.length === 0) return { kinds: undefined, times, others, only: onlyValue(filter) };
  const where = allOf(ofKind);
  const rows = await select<{ kind: string }>(db, {
    ...where,
    text: `SELECT kind FROM audit.kinds WHERE ${where.text}`,
  });
  return rows.length === 0 ? undefined : { kinds: rows.map(({ kind }) => kind), times, others, only: undefined };
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

function kindsSql(kinds: string[]): Sql {
  return { text: `${kindSql} = ANY (CAST(? AS bigint[]))`, bindings: [kinds] };
}
