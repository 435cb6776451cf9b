import type { Migration } from '@waybill/postgres/migrate';

/** Notifies listeners of `waybill_configuration` at each commit that may have changed what operators see of the configuration. */
export const configurationChanges: Migration = {
  name: '0038_configuration_changes',
  up: async (trx) => {
    await trx.raw(`
      CREATE FUNCTION directory.notify_configuration_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('waybill_configuration', '');
        RETURN NULL;
      END $$
    `);
    for (const table of watchedTables) {
      await trx.raw(`
        CREATE TRIGGER configuration_changed AFTER INSERT OR UPDATE OR DELETE ON directory.${table}
          FOR EACH STATEMENT EXECUTE FUNCTION directory.notify_configuration_change()
      `);
    }
  },
};

/** PostgreSQL sends equal notifications of a transaction once. */
const watchedTables = [
  'access_tests',
  'account_policies',
  'acl_rules',
  'actors',
  'client_connections',
  'clusters',
  'configuration_sources',
  'connection_clauses',
  'connection_contracts',
  'contract_actions',
  'contract_expectations',
  'contracts',
  'divergences',
  'frozen_users',
  'job_queues',
  'manager_users',
  'own_keys',
  'partner_users',
  'pgp_keys',
  'roles',
  'servers',
  'storage_classes',
  'user_groups',
  'virtual_file_systems',
  'workflow_templates',
] as const;
