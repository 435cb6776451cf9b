import type { Migration } from '@waybill/postgres/migrate';

const tables = [
  'clusters',
  'storage_classes',
  'manager_users',
  'job_queues',
  'workflow_templates',
  'actors',
  'partner_users',
  'virtual_file_systems',
  'connection_contracts',
  'client_connections',
  'pgp_keys',
  'contracts',
];

/**
 * The owner of each entity: the configuration source that it came from, or null for the API. Everything stored before has
 * come from a file without the name of a source.
 */
export const sources: Migration = {
  name: '0020_sources',
  up: async (trx) => {
    for (const table of tables) {
      await trx.raw(`
        ALTER TABLE directory.${table} ADD COLUMN source text DEFAULT 'default';
        ALTER TABLE directory.${table} ALTER COLUMN source DROP DEFAULT;
      `);
    }
  },
};
