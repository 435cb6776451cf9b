import type { Migration } from '@waybill/postgres/migrate';

/**
 * Records of files can be found by the name alone, which is the last part of the path. Only records of a dataflow instance have an
 * entry. Of a name, the first 100 characters are indexed, as of other texts. PostgreSQL does not use the statistics of an index that
 * leaves out records: without some of their own, it takes half a percent of the records for those that begin with a text, and reads all
 * of them where most records do.
 */
const name = "left(CASE WHEN dfiid IS NOT NULL THEN split_part(entity_name, '/', -1) END, 100)";

/** Files by their names. */
export const namesOfFiles: Migration = {
  name: '0017_names_of_files',
  up: async (trx) => {
    await trx.raw(`
      CREATE INDEX records_file_name ON audit.records (${name}, audit_time, sequence) WHERE ${name} IS NOT NULL;
      CREATE STATISTICS audit.records_file_names ON (${name}) FROM audit.records;
      ANALYZE audit.records;
    `);
  },
};
