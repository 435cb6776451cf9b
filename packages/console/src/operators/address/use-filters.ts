import { useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';

/** Values by name; those that are not set are absent. */
export type Filters<K extends string> = Readonly<Partial<Record<K, string>>>;

/** Changes some filters; undefined and the empty text remove one. */
export type ChangeFilters<K extends string> = (change: Readonly<Partial<Record<K, string | undefined>>>) => void;

/**
 * The filters of a page, which are the query of its address: Reload, Back and bookmarks keep them. Values of one filter that follow
 * each other, such as the letters of a word, are one step for Back. `names` must be the same array each time.
 */
export function useFilters<K extends string>(names: readonly K[]): readonly [Filters<K>, ChangeFilters<K>] {
  const { history } = useRouter();
  const { searchStr } = useLocation();
  const last = useRef({ name: '', href: '' });
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
      if (query === history.location.search) return;
      const [name = '', ...others] = Object.keys(values);
      const isSameStep =
        others.length === 0 && name === last.current.name && history.location.href === last.current.href;
      const href = history.location.pathname + query;
      if (isSameStep) history.replace(href);
      else history.push(href);
      last.current = { name: others.length === 0 ? name : '', href: history.location.href };
    },
    [history, names],
  );
  return [filters, change];
}
