import type { Migration } from '@waybill/postgres/migrate';

/** A manager user may have no password yet: the first one is set with a code that works once. */
export const firstPasswords: Migration = {
  name: '0009_first_passwords',
  up: async (trx) => {
    await trx.raw('ALTER TABLE directory.manager_users ALTER COLUMN password_hash DROP NOT NULL');
  },
};
