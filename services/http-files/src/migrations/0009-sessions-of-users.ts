import type { Migration } from '@waybill/postgres/migrate';

/** The sessions of one user: the user's own list, the list of an operator, and a freeze. */
export const sessionsOfUsers: Migration = {
  name: '0009_sessions_of_users',
  up: async (trx) => {
    await trx.raw('CREATE INDEX login_sessions_user ON http_files.login_sessions (user_name, opened_at)');
  },
};
