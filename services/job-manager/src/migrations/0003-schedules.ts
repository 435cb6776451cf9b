import type { Migration } from '@waybill/postgres/migrate';

/** When each action with the trigger Time is started next. */
export const schedules: Migration = {
  name: '0003_schedules',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE jobs.schedules (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        contract text NOT NULL,
        action text NOT NULL,
        -- The trigger that scheduled_at was computed from.
        definition jsonb NOT NULL,
        -- The next time of the cron expression, and the same with its jitter.
        scheduled_at timestamptz(3) NOT NULL,
        due_at timestamptz(3) NOT NULL,
        UNIQUE (contract, action)
      );
      CREATE INDEX schedules_due ON jobs.schedules (due_at, id);
    `);
  },
};
