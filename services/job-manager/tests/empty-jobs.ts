import type { TestDatabase } from '@waybill/test-kit/create-test-database';

/** Every table that a job has rows in. No foreign key joins them. */
const tables = [
  'jobs.jobs',
  'jobs.active',
  'jobs.ended',
  'jobs.steps',
  'jobs.effects',
  'jobs.history',
  'jobs.idempotency_keys',
] as const;

/** Removes all jobs, with all that is known of them; the next one has the number 1. */
export async function emptyJobs(database: Pick<TestDatabase, 'query'>): Promise<void> {
  await database.query(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY`);
}
