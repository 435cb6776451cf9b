import type { Migration } from '@waybill/postgres/migrate';

/**
 * Records of files can be found by the name alone, which is the last part of the path. Only records of a dataflow instance have an
 * entry. Of a name, the first 100 characters are indexed, as of other texts.
 */
export const namesOfFiles: Migration = {
  name: '0017_names_of_files',
  up: async (trx) => {
    await trx.raw(`
      CREATE INDEX records_file_name ON audit.records
        (left(CASE WHEN dfiid IS NOT NULL THEN split_part(entity_name, '/', -1) END, 100), audit_time, sequence)
        WHERE left(CASE WHEN dfiid IS NOT NULL THEN split_part(entity_name, '/', -1) END, 100) IS NOT NULL;
      ANALYZE audit.records;
    `);
  },
};
