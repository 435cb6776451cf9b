import type { Migration } from '@waybill/postgres/migrate';

/**
 * The table keeps its pages when it is empty for a moment: plans made then would otherwise read all of it instead of an
 * index, and stay so while it fills with rows that are gone; and giving pages back locks out everybody else.
 */
export const steadyPlans: Migration = {
  name: '0003_steady_plans',
  up: async (trx) => {
    await trx.raw('ALTER TABLE outbox.events SET (vacuum_truncate = off)');
  },
};
