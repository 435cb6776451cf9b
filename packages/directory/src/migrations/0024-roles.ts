import type { Migration } from '@waybill/postgres/migrate';

/** Roles of manager users besides those that are built in. */
export const roles: Migration = {
  name: '0024_roles',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.roles (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        source text,
        definition jsonb NOT NULL
      );
    `);
  },
};
