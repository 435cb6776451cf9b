import type { Migration } from '@waybill/postgres/migrate';

/**
 * Tables whose rows come and go keep their pages when they are empty for a moment. Plans made then would otherwise read the
 * whole table instead of an index, and stay so while it fills with rows that are gone; and giving pages back locks out
 * everybody else.
 */
export const steadyPlans: Migration = {
  name: '0012_steady_plans',
  up: async (trx) => {
    for (const table of ['filebox.uploads', 'filebox.blob_removals']) {
      await trx.raw(`ALTER TABLE ${table} SET (vacuum_truncate = off)`);
    }
  },
};
