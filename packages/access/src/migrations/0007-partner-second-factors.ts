import type { Migration } from '@waybill/postgres/migrate';

/** As `0005_second_factors`, for partner users: tables of their own, so that file servers cannot read those of manager users. */
export const partnerSecondFactors: Migration = {
  name: '0007_partner_second_factors',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE access.partner_second_factors (
        user_name text PRIMARY KEY,
        key_id text NOT NULL,
        ciphertext bytea NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT now(),
        confirmed_at timestamptz,
        last_step bigint NOT NULL DEFAULT 0,
        wrong_codes integer NOT NULL DEFAULT 0,
        blocked_until timestamptz
      );
      CREATE TABLE access.partner_recovery_codes (
        user_name text NOT NULL REFERENCES access.partner_second_factors ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        PRIMARY KEY (user_name, code_hash)
      );
    `);
  },
};
