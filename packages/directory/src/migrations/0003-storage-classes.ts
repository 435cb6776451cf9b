import type { Migration } from '@waybill/postgres/migrate';

/**
 * Storage classes, and the class of each VFS for new files. `local` is built in and has no row. A row is retired, never
 * deleted, because it may still hold files.
 */
export const storageClasses: Migration = {
  name: '0003_storage_classes',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.storage_classes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        retired_at timestamptz,
        definition jsonb NOT NULL
      );
      ALTER TABLE directory.virtual_file_systems ADD COLUMN storage_class text NOT NULL DEFAULT 'local';
      UPDATE directory.virtual_file_systems SET definition = definition || '{"storageClass": "local"}';
    `);
  },
};
