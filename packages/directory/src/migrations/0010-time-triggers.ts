import type { Migration } from '@waybill/postgres/migrate';

/** Actions that are started at certain times, and queues that start jobs at certain times. */
export const timeTriggers: Migration = {
  name: '0010_time_triggers',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.contract_actions ADD COLUMN schedule jsonb;
      ALTER TABLE directory.contract_actions
        ADD CONSTRAINT contract_actions_schedule CHECK ((trigger_type = 'Time') = (schedule IS NOT NULL));
      CREATE INDEX contract_actions_schedule ON directory.contract_actions (contract_id) WHERE schedule IS NOT NULL;

      ALTER TABLE directory.job_queues ADD COLUMN slots jsonb NOT NULL DEFAULT '[]';
    `);
  },
};
