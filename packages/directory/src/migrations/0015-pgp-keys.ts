import type { Migration } from '@waybill/postgres/migrate';

/** PGP keys for the steps of jobs: those of actors, and without an actor those of the platform. */
export const pgpKeys: Migration = {
  name: '0015_pgp_keys',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.pgp_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        actor_id bigint REFERENCES directory.actors DEFERRABLE INITIALLY DEFERRED,
        name text NOT NULL UNIQUE,
        definition jsonb NOT NULL
      );
      CREATE INDEX pgp_keys_actor ON directory.pgp_keys (actor_id);
    `);
  },
};
