import type { Migration } from '@waybill/postgres/migrate';

/** What is shown of each step: when its last attempt began, its parameters without secrets, and what its task has said. */
export const stepDetails: Migration = {
  name: '0007_step_details',
  up: async (trx) => {
    // The default comes after the column: the steps that exist were begun at times that nothing has recorded.
    await trx.raw(`
      ALTER TABLE jobs.steps
        ADD COLUMN begun_at timestamptz(3),
        ADD COLUMN inputs jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN log jsonb NOT NULL DEFAULT '[]';
      ALTER TABLE jobs.steps ALTER COLUMN begun_at SET DEFAULT clock_timestamp();
    `);
  },
};
