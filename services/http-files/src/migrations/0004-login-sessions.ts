import type { Migration } from '@waybill/postgres/migrate';

/**
 * Sessions whose login is audited and whose end is not. Redis decides whether a session is valid; this table never
 * does.
 */
export const loginSessions: Migration = {
  name: '0004_login_sessions',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE http_files.login_sessions (
        id uuid PRIMARY KEY,
        user_name text NOT NULL,
        handle text NOT NULL,
        generation text NOT NULL,
        peer_name text NOT NULL,
        server_name text NOT NULL,
        opened_at timestamptz NOT NULL DEFAULT now()
      )
    `);
  },
};
