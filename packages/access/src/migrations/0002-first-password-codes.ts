import type { Migration } from '@waybill/postgres/migrate';

/** Codes with which manager users set their first password. Only the hash of the last code is stored. */
export const firstPasswordCodes: Migration = {
  name: '0002_first_password_codes',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE access.first_password_codes (
        user_name text PRIMARY KEY,
        code_hash bytea NOT NULL,
        expires_at timestamptz NOT NULL
      );
    `);
  },
};
