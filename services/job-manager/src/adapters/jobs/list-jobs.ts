import type { Queryable } from '@waybill/postgres/database';
import type { JobPage, JobQuery } from '../../domain/jobs/job-query.ts';
import { listedJobOf, type ListedRow } from './job-row.ts';
import { sortings } from './listed-columns.ts';
import { pageSql } from './page-sql.ts';

/** A page of jobs. It begins after the cursor's job, so that no job is repeated or left out while others are added. */
export async function listJobs(database: Queryable, query: JobQuery): Promise<JobPage> {
  const { sort, limit } = query;
  const { valueOf } = sortings[sort.field];
  const { sql, values } = pageSql(query);
  const { rows } = await database.raw<{ rows: ListedRow[] }>(sql, values);
  const jobs = rows.slice(0, limit).map(listedJobOf);
  const last = jobs.at(-1);
  return rows.length > limit && last ? { jobs, next: { value: valueOf(last), id: last.id } } : { jobs };
}
