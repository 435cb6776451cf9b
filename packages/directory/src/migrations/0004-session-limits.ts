import type { Migration } from '@waybill/postgres/migrate';

/** The configured limits of open sessions. */
export const sessionLimits: Migration = {
  name: '0004_session_limits',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.servers ADD COLUMN max_sessions integer CHECK (max_sessions > 0);
      ALTER TABLE directory.servers ADD COLUMN max_sessions_per_user integer CHECK (max_sessions_per_user > 0);
      ALTER TABLE directory.partner_users ADD COLUMN max_sessions integer CHECK (max_sessions > 0);
    `);
  },
};
