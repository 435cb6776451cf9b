import type { Migration } from '@waybill/postgres/migrate';

/**
 * A connection that looked up a name while the table was new keeps its plan until PostgreSQL analyzes the table again,
 * about a minute later. In an empty table all indexes that begin with the folder cost the same, and PostgreSQL chooses
 * the newest one: with the index of suffixes each lookup of a file read all the names of its folder.
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
