import type { Migration } from '@waybill/postgres/migrate';

/** Connections that the platform opens as a client: those of actors, and without an actor those of the platform. */
export const clientConnections: Migration = {
  name: '0012_client_connections',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.client_connections (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        actor_id bigint REFERENCES directory.actors DEFERRABLE INITIALLY DEFERRED,
        name text NOT NULL UNIQUE,
        definition jsonb NOT NULL
      );
      CREATE INDEX client_connections_actor ON directory.client_connections (actor_id);
    `);
  },
};
