import { useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** Values by name; those that are not set are absent. */
export type Filters<K extends string> = Readonly<Partial<Record<K, string>>>;

/** Changes some filters; undefined and the empty text remove one. */
export type ChangeFilters<K extends string> = (change: Readonly<Partial<Record<K, string | undefined>>>) => void;

/**
 * The filters of a page, which are the query of its address: Reload, Back and bookmarks keep them. `names` must be the
 * same array each time.
 */
export function useFilters<K extends string>(names: readonly K[]): readonly [Filters<K>, ChangeFilters<K>] {
  const { history } = useRouter();
  const { searchStr } = useLocation();
  const filters = useMemo(() => {
    const search = new URLSearchParams(searchStr);
    const found: Partial<Record<K, string>> = {};
    for (const name of names) {
      const value = search.get(name) ?? '';
      if (value !== '') found[name] = value;
    }
    return found;
  }, [names, searchStr]);
  const change = useCallback<ChangeFilters<K>>(
    (values) => {
      const search = new URLSearchParams(history.location.search);
      for (const name of names) {
        if (!Object.hasOwn(values, name)) continue;
        const value = values[name] ?? '';
        if (value === '') search.delete(name);
        else search.set(name, value);
      }
      const query = search.size === 0 ? '' : `?${search.toString()}`;
      if (query !== history.location.search) history.push(history.location.pathname + query);
    },
    [history, names],
  );
  return [filters, change];
}
