import type { AuditSortKey } from '@waybill/contracts/endpoints/audit-logs/audit-sort';
import { isKindField, type Sql, type Way } from './filter-sql.ts';
import { type FoundConditions, whereSql } from './found-conditions.ts';
import { idPageSql } from './id-page-sql.ts';
import { indexPageSql } from './index-page-sql.ts';
import { type OrderKey, orderSql } from './order-sql.ts';
import { recordColumns, utcText } from './record-columns.ts';

/** A page: which records, in which order, which part. */
export interface PageOptions extends FoundConditions {
  readonly keys: readonly OrderKey[];
  readonly sort: readonly AuditSortKey[];
  /** The part after a cursor, and the keys in it. */
  readonly after: Sql | undefined;
  readonly afterValues: readonly string[] | undefined;
  readonly range: { readonly limit: number; readonly offset: number };
  /** The range of time has so few records that reading all of them costs less than looking for them in another order. */
  readonly isShort: boolean;
}

const contextFields: ReadonlySet<string> = new Set([
  'address',
  'virtualFileSystem',
  'fileHash',
  'fileName',
  'filePath',
]);
const listedFields = Object.entries(recordColumns).filter(([field]) => !contextFields.has(field));
const listedColumns = listedFields
  .map(([field, column]) => `${column === 'audit_time' ? utcText(column) : column} AS "${field}"`)
  .join(', ');

/** Selects a page. Each form reads an index in order and stops when the page is full, or the records of a short time. */
export function pageSql(options: PageOptions): Sql {
  const { kinds, others, times, sort, after } = options;
  const [only] = sort;
  const form = indexFormOf(options);
  if (!form && options.isShort) return sortedPageSql(options);
  const isById = sort.length === 1 && (only?.field === 'id' || only?.field === 'correlationId');
  if (!form && times.length > 0 && isById) return orderedByIdSql(options, only.field);
  const either = eitherOf(others);
  if (either) return joinedPageSql(options.keys, mergedNumbersSql(options, either), rangeSql(options));
  if (form) return joinedPageSql(options.keys, numbersSql(options, form));
  const isUnfiltered = !kinds && others.length === 0 && times.length === 0;
  if (isUnfiltered && sort.length === 1 && only?.field === 'correlationId') return correlationPageSql(options);
  const where = whereSql(options, after ? [after] : []);
  return { ...where, text: selectSql(options, `audit.records WHERE ${where.text}`) };
}

/** Selects a page of what several conditions find, which exclude each other: the first of all of them. */
export function mergedPageSql(first: PageOptions, others: readonly PageOptions[]): Sql {
  if (others.length === 0) return pageSql(first);
  const { keys, range } = first;
  const firsts = { limit: range.limit + range.offset, offset: 0 };
  const pages = [first, ...others].map((page) => pageSql({ ...page, range: firsts }));
  const order = keys.map(({ type, direction }, index) => {
    const collation = type === 'text' ? ' COLLATE "C"' : '';
    return `CAST("cursorKeys"[${index + 1}] AS ${type})${collation} ${direction}`;
  });
  return {
    text: `SELECT * FROM (${pages.map(({ text }) => `(${text})`).join(' UNION ALL ')}) AS merged
      ORDER BY ${order.join(', ')} ${rangeSql(first)}`,
    bindings: pages.flatMap(({ bindings }) => bindings),
  };
}

/** A condition that is fulfilled in two ways. */
interface Either {
  readonly condition: Sql;
  readonly ways: readonly [Way, Way];
}

function eitherOf(conditions: readonly Sql[]): Either | undefined {
  for (const condition of conditions) if (condition.ways) return { condition, ways: condition.ways };
  return undefined;
}

/**
 * The form in which the index of one expression has a page: in the order of its kinds, or of the time within a value. Without
 * one, what the order begins with is in an index, which a range of time does not bound.
 */
export function indexFormOf(options: FoundConditions & Pick<PageOptions, 'sort'>): 'kinds' | 'value' | undefined {
  const { kinds, others, only: value, sort } = options;
  const [only] = sort;
  const isByKind = sort.length === 1 && only !== undefined && isKindField(only.field);
  if (isByKind && others.length === 0) return 'kinds';
  return isOrderOfTime(sort) && ((kinds && others.length === 0) || value) ? 'value' : undefined;
}

/** True for an order by time only. */
export function isOrderOfTime(sort: readonly AuditSortKey[]): boolean {
  return sort.length === 0 || (sort.length === 1 && sort[0]?.field === 'auditTime');
}

/**
 * A page of the records of a short time, all of which are read and sorted: PostgreSQL would choose an index with the order,
 * and could read all records before those of the time. `OFFSET 0` keeps it from that.
 */
function sortedPageSql(options: PageOptions): Sql {
  const { keys, range, after } = options;
  const where = whereSql(options, after ? [after] : []);
  const columns = keys.map(({ sql }, index) => `${sql} AS key${index}`).join(', ');
  const order = keys.map(({ direction }, index) => `key${index} ${direction}`).join(', ');
  const page = `SELECT number AS sequence
    FROM (SELECT sequence AS number, ${columns} FROM audit.records WHERE ${where.text} OFFSET 0) AS within
    ORDER BY ${order} LIMIT ${range.limit} OFFSET ${range.offset}`;
  return joinedPageSql(keys, { ...where, text: page });
}

function selectSql(options: Pick<PageOptions, 'keys' | 'range'>, from: string): string {
  return `SELECT ${listedColumns}, ${cursorKeysSql(options.keys)} FROM ${from}
    ORDER BY ${orderSql(options.keys)} ${rangeSql(options)}`;
}

function rangeSql({ range: { limit, offset } }: Pick<PageOptions, 'range'>): string {
  return `LIMIT ${limit} OFFSET ${offset}`;
}

function cursorKeysSql(keys: readonly OrderKey[]): string {
  const texts = keys.map(({ sql, type }) => (type === 'timestamptz' ? utcText('audit_time') : `CAST(${sql} AS text)`));
  return `ARRAY[${texts.join(', ')}] AS "cursorKeys"`;
}

/** The numbers and times of the records of a page, from an index that has them in order. */
function numbersSql(options: PageOptions, form: ReturnType<typeof indexFormOf>): Sql {
  const { keys, range, after, afterValues, ...found } = options;
  if (form) return indexPageSql({ found, keys, isByKind: form === 'kinds', afterValues, range });
  const where = whereSql(options, after ? [after] : []);
  return {
    ...where,
    text: `SELECT sequence, audit_time FROM audit.records WHERE ${where.text}
      ORDER BY ${orderSql(keys)} ${rangeSql(options)}`,
  };
}

/** The first of both ways in which a condition is fulfilled: no index has the order of all of them. */
function mergedNumbersSql(options: PageOptions, { condition, ways: [first, second] }: Either): Sql {
  const limit = options.range.limit + options.range.offset;
  const numbersOf = (way: Way, within: readonly Sql[] = []): Sql => {
    const others = options.others.map((one) => (one === condition ? way.condition : one));
    const part = { ...options, others: [...others, ...within], only: options.only && way.only };
    return numbersSql({ ...part, range: { limit, offset: 0 } }, indexFormOf(part));
  };
  const one = numbersOf(first);
  const other = numbersOf(second, isOrderOfTime(options.sort) && !options.only ? [withinFirst(options, limit)] : []);
  return {
    text: `WITH first AS MATERIALIZED (${one.text})
      SELECT sequence FROM first UNION ALL (SELECT sequence FROM (${other.text}) AS second)`,
    bindings: [...one.bindings, ...other.bindings],
  };
}

/** Not beyond a full page of the first way, of which no more is needed: there may be many that are not the newest of their files. */
function withinFirst({ keys }: PageOptions, limit: number): Sql {
  const [sign, farthest, none] = keys[0]?.direction === 'desc' ? ['>=', 'min', '-infinity'] : ['<=', 'max', 'infinity'];
  const end = `SELECT ${farthest}(first.audit_time) FROM first HAVING count(*) >= ${limit}`;
  return { text: `audit_time ${sign} coalesce((${end}), '${none}')`, bindings: [] };
}

function joinedPageSql(keys: readonly OrderKey[], page: Sql, part = ''): Sql {
  return {
    ...page,
    text: `SELECT ${listedColumns}, ${cursorKeysSql(keys)} FROM (${page.text}) AS page JOIN audit.records USING (sequence)
      ORDER BY ${orderSql(keys)} ${part}`,
  };
}

/** In the order of an id, within a range of time. */
function orderedByIdSql(
  { keys, range, after, afterValues, ...found }: PageOptions,
  field: 'id' | 'correlationId',
): Sql {
  const direction = keys[0]?.direction ?? 'asc';
  return joinedPageSql(keys, idPageSql({ found, field, direction, after, afterId: afterValues?.[0], range }));
}

/** By the id of the record before each: `correlation_id` has no index of its own. */
function correlationPageSql({ keys, after, range }: PageOptions): Sql {
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
  return { text: selectSql({ keys, range }, from), bindings: [...bindings, ...bindings] };
}
