import type { AuditSortKey } from '@waybill/contracts/endpoints/audit-logs/audit-sort';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import { indexedSql, isKindField, kindSql, type Sql } from './filter-sql.ts';
import { recordColumns } from './record-columns.ts';

/** One key of the order of a list. */
export interface OrderKey {
  readonly sql: string;
  readonly type: 'text' | 'bigint' | 'uuid' | 'timestamptz';
  readonly direction: 'asc' | 'desc';
}

/**
 * The order of a list: always a total one, so that pages are consistent. An order by one field ends with time and number,
 * as its index. Without a requested order it is the one that costs least.
 */
export function orderKeys(sort: readonly AuditSortKey[], isFiltered: boolean): OrderKey[] {
  const direction = sort.at(-1)?.direction ?? 'asc';
  const number = { sql: 'sequence', type: 'bigint', direction } as const;
  const time = { sql: 'audit_time', type: 'timestamptz', direction } as const;
  const [only] = sort;
  if (!only) return isFiltered ? [time, number] : [number];
  const keys = sort.flatMap((key) => keysOf(key, sort.length > 1));
  if (sort.length > 1) return [...keys, number];
  return only.field === 'auditTime' || only.field === 'correlationId' ? [...keys, number] : [...keys, time, number];
}

/** The part of an order after a record, of which `values` are the keys. */
export function afterSql(keys: readonly OrderKey[], values: readonly string[]): Sql {
  const places = keys.map(({ type }) => `CAST(? AS ${type})`);
  const [first] = keys;
  if (keys.every(({ direction }) => direction === first?.direction)) {
    const sign = first?.direction === 'desc' ? '<' : '>';
    return { text: `(${keys.map(({ sql }) => sql).join(', ')}) ${sign} (${places.join(', ')})`, bindings: values };
  }
  const parts = keys.map(({ sql, direction }, index) => [
    ...keys.slice(0, index).map((key, before) => `${key.sql} = ${places[before]}`),
    `${sql} ${direction === 'desc' ? '<' : '>'} ${places[index]}`,
  ]);
  return {
    text: parts.map((part) => `(${part.join(' AND ')})`).join(' OR '),
    bindings: keys.flatMap((_, index) => values.slice(0, index + 1)),
  };
}

/** The text of a cursor: it belongs to one order. */
export function writeCursor(keys: readonly OrderKey[], values: readonly string[]): string {
  return Buffer.from(JSON.stringify([nameOf(keys), ...values])).toString('base64url');
}

/** The keys of the record in a cursor. @throws CodedError `validation_failed` if it belongs to another order */
export function readCursor(keys: readonly OrderKey[], cursor: string): string[] {
  const parsed = cursorSchema.safeParse(parseJson(cursor));
  const [name, ...values] = parsed.data ?? [];
  const fits =
    name === nameOf(keys) &&
    values.length === keys.length &&
    keys.every(({ type }, index) => valueSchemas[type].safeParse(values[index]).success);
  if (fits) return values;
  const message = 'is not the X-Next-Cursor of a page with this order';
  throw new CodedError('validation_failed', {
    detail: `cursor: ${message}`,
    fields: [{ field: 'cursor', message }],
  });
}

/** `ORDER BY` without the words. */
export function orderSql(keys: readonly OrderKey[]): string {
  return keys.map(({ sql, direction }) => `${sql} ${direction}`).join(', ');
}

const cursorSchema = z.array(z.string()).min(1).max(40);
const valueSchemas = {
  text: z.string().refine((text) => !text.includes('\0') && text.isWellFormed()),
  bigint: z.string().refine((text) => /^-?\d{1,19}$/u.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)),
  uuid: z.uuid(),
  // PostgreSQL has no year 0.
  timestamptz: z.iso.datetime().refine((time) => !time.startsWith('0000')),
} as const satisfies Record<OrderKey['type'], z.ZodType>;

function keysOf({ field, direction }: AuditSortKey, isOneOfSeveral: boolean): OrderKey[] {
  const column = recordColumns[field];
  if (field === 'auditTime') return [{ sql: column, type: 'timestamptz', direction }];
  if (field === 'id' || field === 'correlationId') return [{ sql: column, type: 'uuid', direction }];
  const indexed = { sql: indexedSql(field), type: 'text', direction } as const;
  if (isKindField(field)) {
    return isOneOfSeveral ? [indexed] : [indexed, { sql: kindSql, type: 'bigint', direction }];
  }
  // Among other keys the whole text counts, not only what is indexed of it.
  return isOneOfSeveral && indexed.sql.startsWith('left(') ? [indexed, { ...indexed, sql: column }] : [indexed];
}

function nameOf(keys: readonly OrderKey[]): string {
  return keys.map(({ sql, direction }) => `${direction === 'desc' ? '-' : '+'}${sql.slice(0, 40)}`).join();
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
