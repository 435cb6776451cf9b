import type { Migration } from '@waybill/postgres/migrate';

/** Encrypted secrets. `owner` is the name of an actor, or empty for a secret of the platform. */
export const secrets: Migration = {
  name: '0001_secrets',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE secrets.secrets (
        owner text NOT NULL,
        name text NOT NULL,
        key_id text NOT NULL,
        ciphertext bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (owner, name)
      );
    `);
  },
};
