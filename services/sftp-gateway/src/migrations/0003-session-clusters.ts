import type { Migration } from '@waybill/postgres/migrate';

/** The cluster of each open session, with which its user can end it, and an index for the sessions of a user. */
export const sessionClusters: Migration = {
  name: '0003_session_clusters',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE sftp_gateway.open_sessions ADD COLUMN cluster_name text;
      CREATE INDEX open_sessions_user ON sftp_gateway.open_sessions (user_name);
    `);
  },
};
