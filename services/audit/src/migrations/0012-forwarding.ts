import type { Migration } from '@waybill/postgres/migrate';

/** The last record that each destination of forwarding has confirmed, and the process that forwards to it. */
export const forwarding: Migration = {
  name: '0012_forwarding',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE audit.forward_positions (
        destination text COLLATE "C" PRIMARY KEY,
        position bigint NOT NULL CHECK (position >= 0),
        -- A process, until that time.
        holder uuid,
        held_until timestamptz NOT NULL DEFAULT '-infinity'
      );
    `);
  },
};
