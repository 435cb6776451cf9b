import type { Migration } from '@waybill/postgres/migrate';

/**
 * Whose the names are that claims of an outside issuer state. A claim can change, and be given to somebody else: a name
 * belongs to the first subject who logs in with it. Open logins count as the first.
 */
export const outsideNames: Migration = {
  name: '0009_outside_names',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE access.outside_names (
        user_name text PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        bound_at timestamptz NOT NULL DEFAULT now(),
        last_login_at timestamptz NOT NULL DEFAULT now()
      );
      INSERT INTO access.outside_names (user_name, issuer, subject)
      SELECT DISTINCT ON (user_name) user_name, issuer, subject
        FROM access.refresh_tokens WHERE roles IS NOT NULL ORDER BY user_name, id;
    `);
  },
};
