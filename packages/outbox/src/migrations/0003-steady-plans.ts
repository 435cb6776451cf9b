import type { Migration } from '@waybill/postgres/migrate';

/**
 * The table keeps its pages while it is empty: plans made then would otherwise read the whole table instead of an
 * index, and stay so while it fills with dead rows; and truncating pages takes an exclusive lock.
 */
export const steadyPlans: Migration = {
  name: '0003_steady_plans',
  up: async (trx) => {
    await trx.raw('ALTER TABLE outbox.events SET (vacuum_truncate = off)');
  },
};
