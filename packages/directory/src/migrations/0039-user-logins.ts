import type { Migration } from '@waybill/postgres/migrate';

/**
 * When partner users logged in last. A table of its own: a login changes nothing of the configuration, and a process that follows the
 * configuration is not notified.
 */
export const userLogins: Migration = {
  name: '0039_user_logins',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.user_logins (
        user_id bigint PRIMARY KEY REFERENCES directory.partner_users ON DELETE CASCADE,
        last_login_at timestamptz NOT NULL
      );
    `);
  },
};
