import type { Migration } from '@waybill/postgres/migrate';

/** An API key can have permissions besides roles, or instead of them. */
export const scopesOfApiKeys: Migration = {
  name: '0010_scopes_of_api_keys',
  up: async (trx) => {
    await trx.raw(`ALTER TABLE access.api_keys ADD COLUMN permissions text[] NOT NULL DEFAULT '{}';`);
  },
};
