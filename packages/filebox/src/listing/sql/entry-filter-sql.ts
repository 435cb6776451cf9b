import type { EntryFilter } from '../../model/entry-query.ts';
import { likePattern } from '../patterns/like-pattern.ts';

/** A piece of SQL and its bindings. */
export interface BoundSql {
  sql: string;
  bindings: Record<string, string | number | string[]>;
}

const kinds = { all: '', files: `AND kind = 'file'`, folders: `AND kind = 'folder'` } as const;

/** The conditions of a filter on `filebox.entries`, each with its AND. */
export function entryFilterSql({ pattern = '*', type = 'all', without = [] }: EntryFilter): BoundSql {
  const isOpen = pattern === '*';
  return {
    sql: [
      kinds[type],
      isOpen ? '' : `AND name LIKE :like ESCAPE '\\'`,
      without.length === 0 ? '' : 'AND name <> ALL (CAST(:without AS text[]))',
    ].join(' '),
    bindings: {
      ...(isOpen ? {} : { like: likePattern(pattern) }),
      ...(without.length === 0 ? {} : { without: [...without] }),
    },
  };
}
