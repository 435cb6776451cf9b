import type { Migration } from '@waybill/postgres/migrate';

/**
 * Folders are listed before files: they are found without reading the files of a folder. The other indexes of a folder's
 * entries are read from one end to the other for the few folders among many files.
 */
export const foldersFirst: Migration = {
  name: '0021_folders_first',
  up: async (trx) => {
    await trx.raw(`
      CREATE INDEX entries_folders ON filebox.entries (parent_id, name) INCLUDE (id) WHERE kind = 'folder';
    `);
  },
};
