import type { Migration } from '@waybill/postgres/migrate';

/**
 * Where the state differs from what a source has applied last: entities that were changed by force, released or adopted since.
 * `definition` is what the source has applied, and null for what its document does not have. `actor` is empty unless it is
 * part of the name.
 */
export const divergences: Migration = {
  name: '0022_divergences',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.divergences (
        source text NOT NULL,
        entity_type text NOT NULL,
        name text NOT NULL,
        actor text NOT NULL,
        cause text NOT NULL CHECK (cause IN ('forced', 'released', 'adopted')),
        definition jsonb,
        reason text NOT NULL,
        changed_by text NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (source, entity_type, name, actor)
      );
    `);
  },
};
