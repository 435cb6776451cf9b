import type { Migration } from '@waybill/postgres/migrate';

/** The changes of all jobs, in their order: those who follow the jobs read from the end of it. */
export const historyOrder: Migration = {
  name: '0010_history_order',
  up: async (trx) => {
    await trx.raw('CREATE INDEX history_order ON jobs.history (id)');
  },
};
