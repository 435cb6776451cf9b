import type { AuditSortKey } from '@waybill/contracts/endpoints/audit-logs/audit-sort';
import { allOf, isKindField, kindSql, type Sql } from './filter-sql.ts';
import { type FoundConditions, whereSql } from './found-conditions.ts';
import { type OrderKey, orderSql } from './order-sql.ts';
import { recordColumns, utcText } from './record-columns.ts';

/** A page: which records, in which order, which part. */
export interface PageOptions extends FoundConditions {
  readonly keys: readonly OrderKey[];
  readonly sort: readonly AuditSortKey[];
  /** The part after a cursor. */
  readonly after: Sql | undefined;
  readonly range: { readonly limit: number; readonly offset: number };
}

const listedFields = Object.entries(recordColumns).filter(
  ([field]) => field !== 'address' && field !== 'virtualFileSystem',
);
const listedColumns = listedFields
  .map(([field, column]) => `${column === 'audit_time' ? utcText(column) : column} AS "${field}"`)
  .join(', ');

/** Selects a page. Each form reads an index in order, and stops when the page is full. */
export function pageSql(options: PageOptions): Sql {
  const { kinds, others, times, sort, after } = options;
  const [only] = sort;
  const isByKind = sort.length === 1 && only !== undefined && isKindField(only.field);
  const isByTime = sort.length === 0 || (sort.length === 1 && only?.field === 'auditTime');
  if (others.length === 0 && (isByKind || (isByTime && kinds))) return kindPageSql(options, isByKind);
  const isUnfiltered = !kinds && others.length === 0 && times.length === 0;
  if (isUnfiltered && sort.length === 1 && only?.field === 'correlationId') return correlationPageSql(options);
  const where = whereSql(options, after ? [after] : []);
  return { ...where, text: selectSql(options, `audit.records WHERE ${where.text}`) };
}

function selectSql({ keys, range: { limit, offset } }: PageOptions, from: string): string {
  return `SELECT ${listedColumns}, ${cursorKeysSql(keys)} FROM ${from}
    ORDER BY ${orderSql(keys)} LIMIT ${limit} OFFSET ${offset}`;
}

function cursorKeysSql(keys: readonly OrderKey[]): string {
  const texts = keys.map(({ sql, type }) => (type === 'timestamptz' ? utcText('audit_time') : `CAST(${sql} AS text)`));
  return `ARRAY[${texts.join(', ')}] AS "cursorKeys"`;
}

/**
 * The first records of each kind, merged. Ordered by a field of the kinds, one kind is read after the other until the page
 * is full.
 */
function kindPageSql({ keys, kinds, times, after, range }: PageOptions, isByKind: boolean): Sql {
  const { limit, offset } = range;
  const direction = keys.at(-1)?.direction ?? 'asc';
  const found = kinds ? kindsOnly(kinds) : { text: 'true', bindings: [] };
  const within = allOf([...times, ...(after ? [after] : [])]);
  // The keys of the inner rows: values of the kind, and of the index entry.
  const order = `${isByKind ? `k.value ${direction}, k.kind ${direction}, ` : ''}i.audit_time ${direction}, i.sequence ${direction}`;
  const value = isByKind ? (keys[0]?.sql ?? 'audit_code') : 'audit_code';
  const text = `
    SELECT ${listedColumns}, ${cursorKeysSql(keys)}
    FROM (
      SELECT i.sequence
      FROM (SELECT kind, ${value} AS value FROM audit.kinds WHERE ${found.text} ORDER BY 2 ${direction}, 1 ${direction}) AS k
      CROSS JOIN LATERAL (
        SELECT audit_time, sequence FROM audit.records
        WHERE ${kindSql} = k.kind AND ${within.text}
        ORDER BY audit_time ${direction}, sequence ${direction} LIMIT ${limit + offset}
      ) AS i
      ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
    ) AS page JOIN audit.records USING (sequence)
    ORDER BY ${orderSql(keys)}`;
  return { text, bindings: [...found.bindings, ...within.bindings] };
}

function kindsOnly(kinds: string[]): Sql {
  return { text: 'kind = ANY (CAST(? AS bigint[]))', bindings: [kinds] };
}

/** By the id of the record before each: `correlation_id` has no index of its own. */
function correlationPageSql({ keys, after, range, ...options }: PageOptions): Sql {
  const direction = keys[0]?.direction ?? 'asc';
  const sign = direction === 'desc' ? '<' : '>';
  const known = after?.bindings[0];
  const bindings = known === undefined ? [] : [known];
  const where = (column: string): string => (known === undefined ? 'true' : `${column} ${sign} CAST(? AS uuid)`);
  const from = `(
      (SELECT id AS correlation_id, sequence + 1 AS sequence FROM audit.records WHERE ${where('id')}
       ORDER BY id ${direction} LIMIT ${range.limit + range.offset + 1})
      UNION ALL
      (SELECT correlation_id, sequence FROM (
         SELECT correlation_id, sequence FROM audit.records ORDER BY sequence LIMIT 1) AS first
       WHERE ${where('correlation_id')})
    ) AS page JOIN audit.records USING (sequence, correlation_id)`;
  return { text: selectSql({ ...options, keys, after, range }, from), bindings: [...bindings, ...bindings] };
}
