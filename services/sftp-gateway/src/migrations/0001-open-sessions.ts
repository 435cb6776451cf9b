import type { Migration } from '@waybill/postgres/migrate';

/**
 * Which sessions are open, by the process that has them: a row comes with the record of the login and goes with that of the
 * logout, each in one transaction, so that of a process that died somebody else can make up for the logouts, once.
 */
export const openSessions: Migration = {
  name: '0001_open_sessions',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE sftp_gateway.processes (
        id uuid PRIMARY KEY,
        renewed_at timestamptz NOT NULL
      );
      CREATE TABLE sftp_gateway.open_sessions (
        session_id text PRIMARY KEY,
        process_id uuid NOT NULL,
        peer_name text NOT NULL,
        server_name text NOT NULL,
        user_name text NOT NULL,
        opened_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX open_sessions_process ON sftp_gateway.open_sessions (process_id);
    `);
  },
};
