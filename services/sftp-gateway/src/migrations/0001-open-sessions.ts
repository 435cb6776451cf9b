import type { Migration } from '@waybill/postgres/migrate';

/**
 * The open sessions, by their process: a row is inserted with the audit record of the login and deleted with that of
 * the logout, each in one transaction, so that another process can audit the logouts of a process that died, once.
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
