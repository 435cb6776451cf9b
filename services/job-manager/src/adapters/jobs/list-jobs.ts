import { jobPartFilters } from '@waybill/contracts/endpoints/jobs/job-filters';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import type { JobPage, JobQuery } from '../../domain/jobs/job-query.ts';
import { listedJobOf, type ListedRow } from './job-row.ts';
import { nameColumns, sortings } from './listed-columns.ts';
import { pageSql } from './page-sql.ts';

/**
 * A page of jobs. It begins after the cursor's job, so that no job is repeated or left out while others are added.
 * @throws CodedError `validation_failed`, if too many names have a part that is asked for
 */
export async function listJobs(database: Queryable, query: JobQuery): Promise<JobPage> {
  const { sort, limit } = query;
  const { valueOf } = sortings[sort.field];
  const alternatives = await alternativesOf(database, query.filters);
  if (alternatives.length === 0) return { jobs: [] };
  const { sql, values } = pageSql({ ...query, alternatives });
  const { rows } = await database.raw<{ rows: ListedRow[] }>(sql, values);
  const jobs = rows.slice(0, limit).map(listedJobOf);
  const last = jobs.at(-1);
  return rows.length > limit && last ? { jobs, next: { value: valueOf(last), id: last.id } } : { jobs };
}

type Filters = JobQuery['filters'];
type PartFilter = keyof typeof jobPartFilters;

/** A page is read for each name that has a part, and one more where two parts are asked for. */
const alternativesAtMost = 50;

/** Names that are looked at for a part. */
const namesAtMost = 10_000;

/** The same filters with whole names in place of their parts: a job that matches them matches one of these. */
async function alternativesOf(database: Queryable, filters: Filters): Promise<Filters[]> {
  let alternatives = [filters];
  for (const [partName, name] of Object.entries(jobPartFilters) as [PartFilter, keyof typeof nameColumns][]) {
    const part = filters[partName];
    if (part === undefined) continue;
    const whole = filters[name];
    const known = whole === undefined ? await readNames(database, nameColumns[name]) : [whole];
    const found = known.filter((one) => folded(one).includes(folded(part)));
    alternatives = alternatives.flatMap((one) => found.map((value) => ({ ...one, [name]: value })));
    if (known.length > namesAtMost)
      throw refusal(partName, `there are more than ${namesAtMost} names: ask for a whole one`);
    if (alternatives.length > alternativesAtMost)
      throw refusal(partName, `is a part of more than ${alternativesAtMost} names: ask for a longer one`);
  }
  return alternatives;
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The names of a column: each is the next one in the index that begins with it, whatever the number of jobs. */
async function readNames(database: Queryable, column: string): Promise<string[]> {
  const { rows } = await database.raw<{ rows: { name: string }[] }>(
    `WITH RECURSIVE names (name) AS (
       (SELECT ${column} FROM jobs.jobs ORDER BY ${column} LIMIT 1)
       UNION ALL
       SELECT (SELECT ${column} FROM jobs.jobs WHERE ${column} > names.name ORDER BY ${column} LIMIT 1)
       FROM names WHERE names.name IS NOT NULL)
     SELECT name FROM names WHERE name IS NOT NULL LIMIT ?`,
    [namesAtMost + 1],
  );
  return rows.map(({ name }) => name);
}

function refusal(field: string, message: string): CodedError {
  return new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}
