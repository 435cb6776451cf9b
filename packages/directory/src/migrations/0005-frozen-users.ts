import type { Migration } from '@waybill/postgres/migrate';

/**
 * Users that an administrator keeps out for the time being. By name and beside the configuration, so that applying it again
 * lets nobody in.
 */
export const frozenUsers: Migration = {
  name: '0005_frozen_users',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.frozen_users (
        user_name text PRIMARY KEY,
        frozen_at timestamptz NOT NULL DEFAULT now(),
        frozen_by text NOT NULL
      );
    `);
  },
};
