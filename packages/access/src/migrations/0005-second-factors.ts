import type { Migration } from '@waybill/postgres/migrate';

/**
 * Authenticator apps of manager users, and the hashes of the recovery codes that are left. An app that no code has confirmed yet has no
 * `confirmed_at`, and is not asked for. `last_step`: codes up to this time step are used up.
 */
export const secondFactors: Migration = {
  name: '0005_second_factors',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE access.second_factors (
        user_name text PRIMARY KEY,
        key_id text NOT NULL,
        ciphertext bytea NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT now(),
        confirmed_at timestamptz,
        last_step bigint NOT NULL DEFAULT 0,
        wrong_codes integer NOT NULL DEFAULT 0,
        blocked_until timestamptz
      );
      CREATE TABLE access.recovery_codes (
        user_name text NOT NULL REFERENCES access.second_factors ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        PRIMARY KEY (user_name, code_hash)
      );
    `);
  },
};
