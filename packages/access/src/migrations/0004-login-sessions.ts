import type { Migration } from '@waybill/postgres/migrate';

/** A number for each login, which its access tokens name, and the address that it came from. */
export const loginSessions: Migration = {
  name: '0004_login_sessions',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE access.refresh_tokens ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
      ALTER TABLE access.refresh_tokens ADD COLUMN address text;
    `);
  },
};
