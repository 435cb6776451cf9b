import type { Migration } from '@waybill/postgres/migrate';

/** The client of each open session, for the audit record of its logout if its process dies. */
export const sessionClients: Migration = {
  name: '0002_session_clients',
  up: async (trx) => {
    await trx.raw('ALTER TABLE sftp_gateway.open_sessions ADD COLUMN client jsonb');
  },
};
