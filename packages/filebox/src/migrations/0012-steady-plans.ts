import type { Migration } from '@waybill/postgres/migrate';

/**
 * Tables whose rows come and go keep their pages while they are empty. Plans made then would otherwise read the whole
 * table instead of an index, and stay so while it fills with dead rows; and truncating pages takes an exclusive lock.
 */
export const steadyPlans: Migration = {
  name: '0012_steady_plans',
  up: async (trx) => {
    for (const table of ['filebox.uploads', 'filebox.blob_removals']) {
      await trx.raw(`ALTER TABLE ${table} SET (vacuum_truncate = off)`);
    }
  },
};
