import { entryFilterSql, type BoundSql } from './entry-filter-sql.ts';
import type { EntryFilter } from './entry-query.ts';

const totals = { all: 'files + folders', files: 'files', folders: 'folders' } as const;

/** The query for how many entries of the folder `:folderId` pass a filter. Without a pattern it is read, not counted. */
export function entryCountSql(filter: EntryFilter): BoundSql {
  const { pattern = '*', type = 'all', without = [] } = filter;
  if (pattern === '*') {
    const sum = `SELECT COALESCE(sum(${totals[type]}), 0) FROM filebox.folder_counts WHERE folder_id = :folderId`;
    if (without.length === 0) return { sql: sum, bindings: {} };
    const leftOut = `SELECT count(*) FROM filebox.entries
      WHERE parent_id = :folderId AND name = ANY (CAST(:without AS text[])) ${entryFilterSql({ type }).sql}`;
    return { sql: `SELECT (${sum}) - (${leftOut})`, bindings: { without: [...without] } };
  }
  const { sql, bindings } = entryFilterSql(filter);
  return { sql: `SELECT count(*) FROM filebox.entries WHERE parent_id = :folderId ${sql}`, bindings };
}
