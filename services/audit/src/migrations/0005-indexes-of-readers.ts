import type { Migration } from '@waybill/postgres/migrate';

/**
 * Indexes for every filter and order, few enough to keep up with the writer. The second key is the time, so that a page
 * of a filter within a time range, or ordered by time, is read in order. Five fields have few combinations of values
 * (`kinds`): they share one index. Of texts that may be longer than an index entry, the first 100 characters are indexed.
 * `correlation_id` is the id of the record before: it needs no index.
 */
export const indexesOfReaders: Migration = {
  name: '0005_indexes_of_readers',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE audit.records DROP CONSTRAINT records_correlation_id_key;
      DROP INDEX audit.records_user, audit.records_operation, audit.records_code, audit.records_cluster,
        audit.records_module, audit.records_node, audit.records_entity_type, audit.records_entity_name,
        audit.records_entity_id, audit.records_message;

      CREATE FUNCTION audit.kind_of(cluster_id text, module text, audit_code text, audit_operation text, entity_type text)
        RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        hashtextextended(cluster_id || '/' || audit_code || '/' || audit_operation || '/' || module || '/' || entity_type, 0);
      CREATE TABLE audit.kinds (
        kind bigint PRIMARY KEY,
        cluster_id text COLLATE "C" NOT NULL,
        module text COLLATE "C" NOT NULL,
        audit_code text COLLATE "C" NOT NULL,
        audit_operation text COLLATE "C" NOT NULL,
        entity_type text COLLATE "C" NOT NULL
      );
      INSERT INTO audit.kinds
        SELECT DISTINCT ON (1) audit.kind_of(cluster_id, module, audit_code, audit_operation, entity_type),
          cluster_id, module, audit_code, audit_operation, entity_type
        FROM audit.records;

      CREATE INDEX records_kind ON audit.records
        (audit.kind_of(cluster_id, module, audit_code, audit_operation, entity_type), audit_time, sequence);
      CREATE INDEX records_node ON audit.records (node_id, audit_time, sequence);
      CREATE INDEX records_user ON audit.records (left(dataone_user, 100), audit_time, sequence);
      CREATE INDEX records_entity_name ON audit.records (left(entity_name, 100), audit_time, sequence);
      CREATE INDEX records_entity_id ON audit.records (left(entity_id, 100), audit_time, sequence);
      CREATE INDEX records_message ON audit.records (left(audit_message, 100), audit_time, sequence);
      CREATE INDEX records_dfiid ON audit.records (coalesce(dfiid, ''), audit_time, sequence);
      CREATE INDEX records_address ON audit.records (address, audit_time, sequence) WHERE address IS NOT NULL;
      CREATE INDEX records_virtual_file_system ON audit.records (virtual_file_system, audit_time, sequence)
        WHERE virtual_file_system IS NOT NULL;
    `);
  },
};
