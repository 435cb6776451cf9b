import type { Migration } from '@waybill/postgres/migrate';

/** What users may do, and may not do, whatever the configuration becomes. */
export const accessTests: Migration = {
  name: '0027_access_tests',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.access_tests (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        source text,
        definition jsonb NOT NULL
      )
    `);
  },
};
