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
 * Plans that can be applied until they expire, and what each source has applied last. `content` is what applying the plan
 * needs: compressed JSON with hashes of passwords, deleted when it was applied. Of sources
 * that applied before, the file is not known.
 */
export const configurationPlans: Migration = {
  name: '0021_configuration_plans',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.configuration_plans (
        id uuid PRIMARY KEY,
        source text NOT NULL,
        file text NOT NULL,
        content bytea,
        counts jsonb NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        applied_at timestamptz
      );
      CREATE INDEX configuration_plans_expiry ON directory.configuration_plans (expires_at);
      CREATE TABLE directory.configuration_sources (
        source text PRIMARY KEY,
        file text NOT NULL,
        manager_name text NOT NULL,
        applied_by text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      );
    `);
    const owners = tables.map((table) => `SELECT source FROM directory.${table}`).join(' UNION ');
    await trx.raw(`
      INSERT INTO directory.configuration_sources (source, file, manager_name, applied_by)
      SELECT source, '', 'manager1', '' FROM (${owners}) owners WHERE source <> ''
    `);
  },
};
