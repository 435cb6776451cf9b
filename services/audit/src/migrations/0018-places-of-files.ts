import type { Migration } from '@waybill/postgres/migrate';

/**
 * The newest record of a file is found by its dataflow instance and its path together: an instance may have the files of a large
 * archive, and a path those of years. The index has a hash of both, which is shorter than they are; a statement compares them as well.
 * As the index leaves out records, PostgreSQL needs statistics besides it.
 */
const file = 'audit.file_of(dfiid, entity_name)';

/** Files by their dataflow instances and paths. */
export const placesOfFiles: Migration = {
  name: '0018_places_of_files',
  up: async (trx) => {
    await trx.raw(`
      CREATE FUNCTION audit.file_of(dfiid text, path text)
        RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashtextextended(dfiid || ':' || path, 0);
      CREATE INDEX records_file ON audit.records (${file}, audit_time, sequence) WHERE dfiid IS NOT NULL;
      CREATE STATISTICS audit.records_files ON (${file}) FROM audit.records;
      ANALYZE audit.records;
    `);
  },
};
