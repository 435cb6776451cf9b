import type { Migration } from '@waybill/postgres/migrate';

/** The client of each login, for the audit record of an end that no request causes. */
export const sessionClients: Migration = {
  name: '0007_session_clients',
  up: async (trx) => {
    await trx.raw('ALTER TABLE http_files.login_sessions ADD COLUMN client jsonb');
  },
};
