import type { Migration } from '@waybill/postgres/migrate';

/** Keys with which programs use the management interfaces in the name of a manager user. A revoked key has no row. */
export const apiKeys: Migration = {
  name: '0003_api_keys',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE access.api_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        owner text NOT NULL,
        key_hash bytea NOT NULL UNIQUE,
        roles text[] NOT NULL,
        actors text[],
        networks text[],
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz,
        last_used_from text,
        UNIQUE (owner, name)
      );
    `);
  },
};
