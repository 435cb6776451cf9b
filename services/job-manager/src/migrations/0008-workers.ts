import type { Migration } from '@waybill/postgres/migrate';

/** When each worker has given its last sign of life, so that a waiting job can say that no worker runs. */
export const workers: Migration = {
  name: '0008_workers',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE jobs.workers (
        name text PRIMARY KEY,
        capacity integer NOT NULL,
        seen_at timestamptz NOT NULL
      ) WITH (fillfactor = 50);`);
  },
};
