import type { Migration } from '@waybill/postgres/migrate';

/**
 * A connection that asked for a name while the table was new keeps its plan until PostgreSQL has looked at the table
 * again, a minute or so. In an empty table all indexes that begin with the folder cost the same, and of those PostgreSQL takes
 * the one made last: by the one of endings each file asked for read all the names of its folder.
 */
export const namesFirst: Migration = {
  name: '0013_names_first',
  up: async (trx) => {
    await trx.raw(`
      CREATE UNIQUE INDEX entries_name_again ON filebox.entries (parent_id, name) INCLUDE (id, kind);
      DROP INDEX filebox.entries_name;
      ALTER INDEX filebox.entries_name_again RENAME TO entries_name;
    `);
  },
};
