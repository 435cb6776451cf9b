import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { JobCursor, JobQuery, JobSortField } from '../../domain/jobs/job-query.ts';
import { listedColumns, withStatus } from './job-row.ts';
import { equalities, sortings, stateEqualities } from './listed-columns.ts';

type Value = string | number | Date | string[];

/** SQL with the values of its parameters, in their order. */
interface Sql {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** A query whose parts of names have been found to be whole names: each of these has some. */
export interface PageQuery extends JobQuery {
  readonly alternatives: readonly JobQuery['filters'][];
}

/**
 * The statement that reads a page, with one job more if another page follows. There is at least one alternative. What does not change of a job is searched in
 * `jobs`, and the statuses of the page are looked up afterwards. What changes is searched in `active` and in `ended`, each
 * in the order of the page as far as the page goes.
 */
export function pageSql(query: PageQuery): Sql {
  const isAboutState = !isOfJob(query.sort.field) || names(stateEqualities, query.filters).length > 0;
  return isAboutState ? statePageSql(query) : plainPageSql(query);
}

function names(sqlOf: object, filters: JobQuery['filters']): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value !== undefined && name in sqlOf ? [name] : []));
}

const isOfJob = (field: JobSortField): boolean => field !== 'status' && field !== 'updatedAt';

function plainPageSql(query: PageQuery): Sql {
  const order = orderBy(query, 'jobs.id');
  const pages = conditionsOf(query, 'jobs.id').map(({ sql, values }): Sql => ({
    sql: `SELECT ${listedColumns} FROM jobs.jobs ${sql} ORDER BY ${order} LIMIT ?`,
    values: [...values, query.limit + 1],
  }));
  const { sql, values } = firstOfAll(pages, query, 'id');
  return { sql: `${withStatus(`(${sql})`)} ORDER BY ${order}`, values };
}

function statePageSql(query: PageQuery): Sql {
  const { filters, sort, limit, alternatives } = query;
  const needsJobs =
    names(equalities, alternatives[0] ?? filters).some((name) => name !== 'id') ||
    (isOfJob(sort.field) && sort.field !== 'id');
  const order = orderBy(query, 'state.job_id');
  const pages = (['active', 'ended'] as const)
    .filter((table) => mayHold(table, filters.status))
    .flatMap((table) =>
      conditionsOf(query, 'state.job_id').map(({ sql, values }): Sql => ({
        sql: needsJobs
          ? `SELECT ${listedColumns}, state.status, state.status_message, state.updated_at
               FROM jobs.${table} AS state JOIN jobs.jobs ON jobs.id = state.job_id ${sql} ORDER BY ${order} LIMIT ?`
          : `SELECT job_id, status, status_message, updated_at
               FROM jobs.${table} AS state ${sql} ORDER BY ${order} LIMIT ?`,
        values: [...values, limit + 1],
      })),
    );
  const { sql, values } = firstOfAll(pages, query, needsJobs ? 'id' : 'job_id');
  if (needsJobs) return { sql, values };
  return {
    sql: `SELECT ${listedColumns}, state.status, state.status_message, state.updated_at
          FROM (${sql}) AS state JOIN jobs.jobs ON jobs.id = state.job_id ORDER BY ${order}`,
    values,
  };
}

/** The first jobs of several pages in the same order. */
function firstOfAll(pages: readonly Sql[], query: JobQuery, id: 'id' | 'job_id'): Sql {
  const [page] = pages;
  if (page && pages.length === 1) return page;
  const order = orderBy(query, id).replaceAll(/\b(?:state|jobs)\./gu, '');
  return {
    sql: `SELECT * FROM (${pages.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) AS page ORDER BY ${order} LIMIT ?`,
    values: [...pages.flatMap(({ values }) => values), query.limit + 1],
  };
}

function orderBy({ sort }: JobQuery, id: string): string {
  const direction = sort.descending ? 'DESC' : 'ASC';
  return sort.field === 'id' ? `${id} ${direction}` : `${sortings[sort.field].column} ${direction}, ${id} ${direction}`;
}

type NumberColumn = 'jobs.id' | 'state.job_id';

/**
 * The conditions of a page: of one for each alternative, and of two for each, if it begins among jobs with the same value. `id` is the
 * column with the number.
 */
function conditionsOf({ alternatives, ...query }: PageQuery, id: NumberColumn): Sql[] {
  return alternatives.flatMap((filters) => conditionsOfOne({ ...query, filters }, id));
}

function conditionsOfOne(query: JobQuery, id: NumberColumn): Sql[] {
  const conditions: string[] = [];
  const values: Value[] = [];
  const sqlOf: Readonly<Record<string, string>> = { ...equalities, ...stateEqualities };
  for (const [name, value] of Object.entries(query.filters)) {
    const sql = sqlOf[name];
    if (value === undefined || sql === undefined) continue;
    conditions.push(sql.replace('jobs.id', id));
    values.push(typeof value === 'object' && !(value instanceof Date) ? [...value] : value);
  }
  for (const { sql, value } of numberBounds(query, id)) {
    conditions.push(sql);
    values.push(value);
  }
  const begins = query.after ? startsOf(query.after, query.sort, id) : [{ sql: '', values: [] }];
  return begins.map((start) => {
    const all = [...conditions, start.sql].filter((sql) => sql !== '');
    return { sql: all.length > 0 ? `WHERE ${all.join(' AND ')}` : '', values: [...values, ...start.values] };
  });
}

/**
 * What follows a cursor. A comparison of both columns at once would be one condition, but PostgreSQL estimates it by the
 * first column alone: among millions of jobs with one status it expects a handful, and sorts them all.
 */
function startsOf({ value, id: number }: JobCursor, { field, descending }: JobQuery['sort'], id: NumberColumn): Sql[] {
  const beyond = descending ? '<' : '>';
  if (field === 'id') return [{ sql: `${id} ${beyond} ?::bigint`, values: [number] }];
  const { column, type } = sortings[field];
  return [
    { sql: `${column} = ?::${type} AND ${id} ${beyond} ?::bigint`, values: [value, number] },
    { sql: `${column} ${beyond} ?::${type}`, values: [value] },
  ];
}

/**
 * How many jobs next to a bound of time are looked at. Numbers are given in the order of time, except among jobs that are
 * being created at one moment: there would have to be as many statements at once as this, or the clock of PostgreSQL would
 * have to be set back, for a job to lie beyond the others.
 */
const neighbours = 10_000;

/**
 * Conditions that let a search in the order of numbers begin where the bounds of time do, instead of passing over millions
 * of jobs. No job changes before it is created: what was last changed before a time was created before it. `id` is the
 * column with the number. A page that begins after a cursor needs no other bound where it begins.
 */
function numberBounds(
  { filters, sort, after }: JobQuery,
  id: NumberColumn,
): { readonly sql: string; readonly value: Date }[] {
  if (sort.field === 'createdAt' || sort.field === 'updatedAt') return [];
  const begun = after !== undefined && sort.field === 'id';
  const latest = begun && sort.descending ? [] : [filters.createdAtTo, filters.updatedAtTo];
  const earliest = begun && !sort.descending ? undefined : filters.createdAtFrom;
  const upTo = latest.map((time) => time && { sql: `${id} <= ${highest}`, value: time });
  const from = earliest && { sql: `${id} >= ${lowest}`, value: earliest };
  return [...upTo, from].filter((bound) => bound !== undefined);
}

const highest = `(SELECT max(near.id) FROM (
  SELECT id FROM jobs.jobs WHERE created_at <= ?::timestamptz ORDER BY created_at DESC, id DESC LIMIT ${neighbours}) AS near)`;

const lowest = `(SELECT min(near.id) FROM (
  SELECT id FROM jobs.jobs WHERE created_at >= ?::timestamptz ORDER BY created_at, id LIMIT ${neighbours}) AS near)`;

const activeStatuses: readonly string[] = ['SUBMITTED', 'SUSPENDED', 'RUNNING'] satisfies JobStatus[];

function mayHold(table: 'active' | 'ended', status: string | undefined): boolean {
  return status === undefined || activeStatuses.includes(status) === (table === 'active');
}
