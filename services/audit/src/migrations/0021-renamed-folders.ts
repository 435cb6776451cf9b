import type { Migration } from '@waybill/postgres/migrate';

/**
 * Renames of folders by both of their paths: files below are found by where they were before. Only these records have entries. A folder
 * has many records of other kinds, such as those of SFTP clients that change to it.
 */
const newPath = 'left(audit.new_path_of(audit_code, entity_name, entity_id, audit_message) COLLATE "C", 100)';

/** Folders by the paths that they were renamed from, and to. */
export const renamedFolders: Migration = {
  name: '0021_renamed_folders',
  up: async (trx) => {
    await trx.raw(`
      CREATE INDEX records_folder_from ON audit.records (left(entity_name, 100), audit_time, sequence)
        WHERE audit_code = 'AUD0052A';
      CREATE INDEX records_folder_to ON audit.records (${newPath}, audit_time, sequence) WHERE audit_code = 'AUD0052A';
    `);
  },
};
