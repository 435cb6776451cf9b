import type { Migration } from '@waybill/postgres/migrate';

/**
 * Counting the names of a folder by suffix reads an index of the reversed names, and only the matching ones; the names
 * themselves are in it because PostgreSQL uses an index-only scan only if it contains them. A pattern without a fixed
 * prefix or suffix reads all names, in an index-only scan too: with its default settings PostgreSQL would rather read
 * whole rows, on several cores at once, which takes as long.
 */
export const countedNames: Migration = {
  name: '0011_counted_names',
  up: async (trx) => {
    await trx.raw(`
      CREATE INDEX entries_suffix ON filebox.entries (parent_id, reverse(name)) INCLUDE (name, kind);

      CREATE FUNCTION filebox.count_names(folder bigint, of_kind text, pattern text) RETURNS bigint
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET random_page_cost = 1.1
      SET max_parallel_workers_per_gather = 0 AS $$
      DECLARE
        matching bigint;
      BEGIN
        SELECT count(*) INTO matching FROM filebox.entries
        WHERE parent_id = folder AND (of_kind IS NULL OR kind = of_kind) AND name LIKE pattern ESCAPE '\\';
        RETURN matching;
      END $$;
    `);
  },
};
