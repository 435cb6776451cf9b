import type { Migration } from '@waybill/postgres/migrate';

/**
 * `wait`: what a suspended job waits for at a step, as `stepWaitSchema` has it. It stays when the job goes on, and means nothing
 * then. `due_at` is the end of the wait, at which `jobs.claim` makes the job ready as after a delay.
 */
export const waitingJobs: Migration = {
  name: '0013_waiting_jobs',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE jobs.active ADD COLUMN wait jsonb;
      CREATE INDEX active_waits ON jobs.active (job_id) WHERE wait IS NOT NULL;
    `);
  },
};
