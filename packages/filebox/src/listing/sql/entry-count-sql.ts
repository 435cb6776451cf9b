import type { EntryFilter } from '../../model/entry-query.ts';
import { likePattern } from '../patterns/like-pattern.ts';
import { type SuffixRange, suffixRangeOf } from '../patterns/suffix-range.ts';
import { entryFilterSql, type BoundSql } from './entry-filter-sql.ts';

const totals = { all: 'files + folders', files: 'files', folders: 'folders' } as const;
const kinds = { all: 'CAST(NULL AS text)', files: `'file'`, folders: `'folder'` } as const;

/**
 * The query for the number of entries of the folder `:folderId` that pass a filter. Without a pattern it reads the
 * stored counts; for a prefix or a suffix it reads only the matching entries.
 */
export function entryCountSql({ without = [], ...filter }: EntryFilter): BoundSql {
  const whole = wholeCountSql(filter);
  if (without.length === 0) return whole;
  const { sql, bindings } = entryFilterSql(filter);
  const leftOut = `SELECT count(*) FROM filebox.entries
    WHERE parent_id = :folderId AND name = ANY (CAST(:without AS text[])) ${sql}`;
  return {
    sql: `SELECT (${whole.sql}) - (${leftOut})`,
    bindings: { ...whole.bindings, ...bindings, without: [...without] },
  };
}

function wholeCountSql(filter: Omit<EntryFilter, 'without'>): BoundSql {
  const { pattern = '*', type = 'all' } = filter;
  if (pattern === '*') {
    const sql = `SELECT COALESCE(sum(${totals[type]}), 0) FROM filebox.folder_counts WHERE folder_id = :folderId`;
    return { sql, bindings: {} };
  }
  const suffix = suffixRangeOf(pattern);
  if (suffix) return suffixCountSql(type, suffix);
  if (pattern.startsWith('*')) {
    const sql = `SELECT filebox.count_names(:folderId, ${kinds[type]}, :like)`;
    return { sql, bindings: { like: likePattern(pattern) } };
  }
  const { sql, bindings } = entryFilterSql(filter);
  return { sql: `SELECT count(*) FROM filebox.entries WHERE parent_id = :folderId ${sql}`, bindings };
}

function suffixCountSql(type: NonNullable<EntryFilter['type']>, { from, to }: SuffixRange): BoundSql {
  const upTo = to === undefined ? '' : 'AND reverse(name) < :suffixTo';
  return {
    sql: `SELECT count(*) FROM filebox.entries
      WHERE parent_id = :folderId ${entryFilterSql({ type }).sql} AND reverse(name) >= :suffixFrom ${upTo}`,
    bindings: { suffixFrom: from, ...(to !== undefined && { suffixTo: to }) },
  };
}
