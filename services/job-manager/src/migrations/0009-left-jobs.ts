import type { Migration } from '@waybill/postgres/migrate';

/**
 * `needs`: what a worker must understand to run the job, if a worker that does not has left it. Such a job is not ready, and
 * has no time at which it becomes so: a worker that understands all of it makes it ready.
 */
export const leftJobs: Migration = {
  name: '0009_left_jobs',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE jobs.active ADD COLUMN needs text[];
      CREATE INDEX active_left ON jobs.active (job_id) WHERE needs IS NOT NULL;
    `);
  },
};
