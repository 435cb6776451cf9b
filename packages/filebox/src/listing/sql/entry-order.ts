import type { EntrySort } from '../../model/entry-query.ts';

/** An order of a folder, with its index. */
export interface EntryOrder {
  /** The column before the name, if any. */
  readonly key: 'size' | 'put_at' | 'first_read_at' | 'expires_at' | undefined;
  /** The type of that column. */
  readonly type: 'bigint' | 'timestamptz';
  /** Where entries without a value are sorted. */
  readonly nulls: 'FIRST' | 'LAST';
}

/** The order of each sort, ascending. */
export const entryOrders = {
  name: { key: undefined, type: 'bigint', nulls: 'FIRST' },
  size: { key: 'size', type: 'bigint', nulls: 'FIRST' },
  put_date: { key: 'put_at', type: 'timestamptz', nulls: 'FIRST' },
  read_date: { key: 'first_read_at', type: 'timestamptz', nulls: 'FIRST' },
  expiry_date: { key: 'expires_at', type: 'timestamptz', nulls: 'LAST' },
} as const satisfies Record<EntrySort, EntryOrder>;

/** The ORDER BY clause: an index read forwards or, for DESC, backwards. */
export function orderSql(sort: EntrySort, direction: 'ASC' | 'DESC'): string {
  const { key, nulls } = entryOrders[sort];
  if (key === undefined) return `name ${direction}`;
  const other = nulls === 'FIRST' ? 'LAST' : 'FIRST';
  return `${key} ${direction} NULLS ${direction === 'ASC' ? nulls : other}, name ${direction}`;
}
