import type { Migration } from '@waybill/postgres/migrate';

/**
 * Files are found by the names that renames have given them: the path after a rename is in its message, which is erased as a whole.
 * Only renames have entries, so that other records cost nothing and the indexes of a large log are built by reading it, without
 * sorting it. Of long texts, the first 100 characters are indexed, as of other fields. As the indexes leave out records, PostgreSQL
 * needs statistics besides them. The function is in PL/pgSQL, so that it stays one call in statements, which are planned faster.
 */
const newPath = 'audit.new_path_of(audit_code, entity_name, entity_id, audit_message) COLLATE "C"';
const path = `left(${newPath}, 100)`;
const name = `left(split_part(${newPath}, '/', -1), 100)`;
const file = `audit.file_of(dfiid, ${newPath})`;

/** Files and folders by the paths, and files by the names, that they were renamed to. */
export const newNamesOfFiles: Migration = {
  name: '0020_new_names_of_files',
  up: async (trx) => {
    await trx.raw(`
      CREATE FUNCTION audit.new_path_of(code text, path text, fileset text, message text)
        RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10 AS $$
      DECLARE
        start CONSTANT text := CASE code
          WHEN 'AUD0040A' THEN 'Server rename file from ' || path || ' FilesetId ' || fileset || ' to '
          WHEN 'AUD0052A' THEN 'Server rename folder from ' || path || ' to ' END;
        rest CONSTANT text := CASE WHEN starts_with(message, start) THEN substr(message, length(start) + 1) END;
      BEGIN
        -- A name may contain these words, too: the last ones count.
        RETURN CASE code WHEN 'AUD0040A' THEN substring(rest FROM '^(.*) FilesetId ') ELSE rest END;
      END $$;
      CREATE INDEX records_new_path ON audit.records (${path}, audit_time, sequence)
        WHERE audit_code IN ('AUD0040A', 'AUD0052A');
      CREATE INDEX records_new_name ON audit.records (${name}, audit_time, sequence) WHERE audit_code = 'AUD0040A';
      CREATE INDEX records_new_file ON audit.records (${file}, audit_time, sequence) WHERE audit_code = 'AUD0040A';
      CREATE STATISTICS audit.records_new_paths ON (${path}) FROM audit.records;
      CREATE STATISTICS audit.records_new_names ON (${name}) FROM audit.records;
      CREATE STATISTICS audit.records_new_files ON (${file}) FROM audit.records;
      ANALYZE audit.records;
    `);
  },
};
