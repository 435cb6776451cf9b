import { allOf, kindSql, type Sql, timeBoundsOf } from './filter-sql.ts';
import type { FoundConditions } from './found-conditions.ts';
import type { OrderKey } from './order-sql.ts';

/** A page that is read from an index of one expression: which of its keys, from where on, and how much. */
export interface IndexPage {
  readonly found: FoundConditions;
  readonly keys: readonly OrderKey[];
  /** Ordered by a field of the kinds first; otherwise by time. */
  readonly isByKind: boolean;
  /** The keys of the record after which the page begins. */
  readonly afterValues: readonly string[] | undefined;
  readonly range: { readonly limit: number; readonly offset: number };
}

/**
 * The numbers of the records of a page, by an index of an expression, time and number: the first records of each key,
 * merged. The key is given as the bounds of a range and not as a value, so that only this index has the order: by the index
 * of times alone, PostgreSQL would read all records before the first of a key that is recent.
 */
export function indexPageSql(page: IndexPage): Sql {
  const { found, keys, isByKind, afterValues, range } = page;
  const { limit, offset } = range;
  const direction = keys.at(-1)?.direction ?? 'asc';
  const isUp = direction === 'asc';
  const { from, expression, residual } = sourceOf(page);
  const [lowest, highest] = timeBoundsOf(found.times);
  const [bound, end] = isUp ? [lowest, highest] : [highest, lowest];
  const start = startOf(afterValues, { isByKind, isUp, bound });
  const within = allOf([
    { text: `(${expression}, audit_time, sequence) ${isUp ? '>' : '<'} ${start.text}`, bindings: start.bindings },
    endOf(expression, { isUp, end }),
    ...residual,
  ]);
  const outer = [...(isByKind ? ['k.value', 'k.key'] : []), 'i.audit_time', 'i.sequence'];
  const order = outer.map((name) => `${name} ${direction}`).join(', ');
  return {
    text: `
      SELECT i.sequence
      FROM (${from.text} ORDER BY 2 ${direction}, 1 ${direction}) AS k
      CROSS JOIN LATERAL (
        SELECT audit_time, sequence FROM audit.records WHERE ${within.text}
        ORDER BY ${expression} ${direction}, audit_time ${direction}, sequence ${direction} LIMIT ${limit + offset}
      ) AS i
      ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
    bindings: [...from.bindings, ...within.bindings],
  };
}

interface IndexSource {
  /** Selects the keys, and what they are ordered by. */
  readonly from: Sql;
  readonly expression: string;
  /** What the index does not decide. */
  readonly residual: readonly Sql[];
}

function sourceOf({ found, keys, isByKind, afterValues }: IndexPage): IndexSource {
  const { only, kinds } = found;
  if (only) {
    const from = { text: "SELECT CAST(? AS text) AS key, '' AS value", bindings: [only.key] };
    return { from, expression: only.expression, residual: only.residual };
  }
  const value = isByKind ? (keys[0]?.sql ?? 'audit_code') : 'audit_code';
  const sign = keys.at(-1)?.direction === 'desc' ? '<=' : '>=';
  const [afterValue, afterKind] = afterValues ?? [];
  const conditions: Sql[] = [
    ...(kinds ? [{ text: 'kind = ANY (CAST(? AS bigint[]))', bindings: [kinds] }] : []),
    ...(isByKind && afterValue !== undefined && afterKind !== undefined
      ? [{ text: `(${value}, kind) ${sign} (?, CAST(? AS bigint))`, bindings: [afterValue, afterKind] }]
      : []),
  ];
  const where = allOf(conditions);
  const from = { ...where, text: `SELECT kind AS key, ${value} AS value FROM audit.kinds WHERE ${where.text}` };
  return { from, expression: kindSql, residual: [] };
}

/**
 * The place in the index where the records of a key end. It is one condition: with a second one for the end of the key,
 * PostgreSQL would read all of its records, and compare their times.
 */
function endOf(expression: string, { isUp, end }: { isUp: boolean; end: Date | undefined }): Sql {
  const sign = isUp ? '<=' : '>=';
  if (!end) return { text: `${expression} ${sign} k.key`, bindings: [] };
  return { text: `(${expression}, audit_time) ${sign} (k.key, CAST(? AS timestamptz))`, bindings: [end] };
}

interface StartOptions {
  readonly isByKind: boolean;
  readonly isUp: boolean;
  readonly bound: Date | undefined;
}

/**
 * The place in the index after which a page begins; in a key after that of the cursor, and with a cursor that is before the
 * range of time, it is the beginning of the key, or of the range: PostgreSQL begins at one bound, and would read all records
 * before the range from another one.
 */
function startOf(values: readonly string[] | undefined, { isByKind, isUp, bound }: StartOptions): Sql {
  const number = isUp ? '-1' : '9223372036854775807';
  const time = bound ? 'CAST(? AS timestamptz)' : `CAST('${isUp ? '-' : ''}infinity' AS timestamptz)`;
  const bounds = bound ? [bound] : [];
  const [afterTime = '', afterNumber = ''] = values?.slice(-2) ?? [];
  const isOutside = bound !== undefined && (isUp ? bound > new Date(afterTime) : bound < new Date(afterTime));
  if (!values || isOutside) return { text: `(k.key, ${time}, ${number})`, bindings: bounds };
  const given = ['CAST(? AS timestamptz)', 'CAST(? AS bigint)'] as const;
  if (!isByKind) return { text: `(k.key, ${given.join(', ')})`, bindings: [afterTime, afterNumber] };
  const kind = values[1] ?? '';
  const choose = (one: string, other: string) => `CASE WHEN k.key = CAST(? AS bigint) THEN ${one} ELSE ${other} END`;
  return {
    text: `(k.key, ${choose(given[0], time)}, ${choose(given[1], number)})`,
    bindings: [kind, afterTime, ...bounds, kind, afterNumber],
  };
}
