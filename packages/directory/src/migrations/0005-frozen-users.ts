import type { Migration } from '@waybill/postgres/migrate';

/**
 * Users that an administrator has frozen. By name and separate from the configuration, so that applying it again
 * does not unfreeze a user.
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
