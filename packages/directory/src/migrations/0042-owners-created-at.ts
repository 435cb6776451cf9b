import type { Migration } from '@waybill/postgres/migrate';

/**
 * When each actor and each contract was created: a job from before then belongs to a former one of that name. It is the time of the row,
 * as for users. Those that there are count as having always existed.
 */
export const ownersCreatedAt: Migration = {
  name: '0042_owners_created_at',
  up: async (trx) => {
    for (const table of ['actors', 'contracts']) {
      await trx.raw(`
        ALTER TABLE directory.${table} ADD COLUMN created_at timestamptz NOT NULL DEFAULT '-infinity';
        ALTER TABLE directory.${table} ALTER COLUMN created_at SET DEFAULT clock_timestamp();
      `);
    }
  },
};
