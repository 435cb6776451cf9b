import type { Migration } from '@waybill/postgres/migrate';

/**
 * Pages of users in the orders in which they are listed: by name, and by actor or `enabled` before it. The expressions are those of
 * `listOrder`. PostgreSQL reads a page instead of sorting all users.
 */
export const listedUsers: Migration = {
  name: '0043_listed_users',
  up: async (trx) => {
    // An upgrade makes all migrations in one transaction, and what an earlier one has updated still waits for its checks.
    await trx.raw(`
      SET CONSTRAINTS ALL IMMEDIATE;
      SET CONSTRAINTS ALL DEFERRED;
      CREATE INDEX partner_users_by_name ON directory.partner_users (name COLLATE "C", id);
      CREATE INDEX partner_users_by_actor ON directory.partner_users
        ((COALESCE(definition -> 'actor', '{}'::jsonb)), name COLLATE "C", id);
      CREATE INDEX partner_users_by_enabled ON directory.partner_users
        ((COALESCE(definition -> 'enabled', 'true'::jsonb)), name COLLATE "C", id);
    `);
  },
};
