import type { Migration } from '@waybill/postgres/migrate';

/** One row for each login that can be refreshed, with the hash of its current secret. */
export const refreshTokens: Migration = {
  name: '0001_refresh_tokens',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE access.refresh_tokens (
        family uuid PRIMARY KEY,
        secret_hash bytea NOT NULL,
        user_name text NOT NULL,
        issued_at timestamptz NOT NULL DEFAULT now(),
        rotated_at timestamptz,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX refresh_tokens_user ON access.refresh_tokens (user_name);
      CREATE INDEX refresh_tokens_expiry ON access.refresh_tokens (expires_at);
    `);
  },
};
