import { keepPreviousData, skipToken, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useCallback, useMemo, useRef } from 'react';
import { type ElementPage, isMissing, listElements, type ListingOrder, pageSize } from '../api/elements.ts';
import { isRefusal } from '../api/send-request.ts';

/** A folder of any size, of which the rows that are needed have been read. */
export interface Listing {
  /** Undefined until the first page has arrived. */
  readonly total: number | undefined;
  readonly failure: Error | null;
  /** All elements, if they are so few that they have been read at once: the same list until one of them changes. */
  readonly whole: readonly FileElement[] | undefined;
  /** The element of a row, or undefined if its page has not arrived. */
  elementAt(index: number): FileElement | undefined;
}

/** How often what is shown is read again, so that other people's changes are seen. */
const refreshEveryMs = 5_000;

/** Reads the pages of a folder that hold the rows from `first` to `last`, and keeps them up to date. */
export function useListing(
  path: string,
  order: ListingOrder,
  rows: { readonly first: number; readonly last: number },
): Listing {
  const pages = useMemo(() => pagesOf(rows.first, rows.last), [rows.first, rows.last]);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['elements', path, order, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => listElements(path, order, page, signal),
      refetchInterval: refreshEveryMs,
      placeholderData: keepPreviousData,
    })),
  });
  const loaded = new Map<number, ElementPage>();
  for (const [position, { data, isPlaceholderData }] of results.entries()) {
    const page = pages[position];
    if (data !== undefined && page !== undefined && !isPlaceholderData) loaded.set(page, data);
  }
  // A jump leads to pages that have not arrived: the folder keeps its length meanwhile.
  const known = useRef<number>(undefined);
  known.current = loaded.values().next().value?.total ?? known.current;
  const first = loaded.get(0);
  return {
    total: known.current,
    whole: first?.elements.length === first?.total ? first?.elements : undefined,
    // Of what was read before, the page says in one place that it is old.
    failure:
      results.find(({ error, data }) => error !== null && (data === undefined || isRefusal(error)))?.error ?? null,
    elementAt: (index) => loaded.get(Math.floor(index / pageSize))?.elements[index % pageSize],
  };
}

/** What the listing of a folder has said: whether there is no such folder, and how many elements it has. */
export function useFolder(
  path: string,
  order: ListingOrder,
): { readonly isMissing: boolean; readonly count: number | undefined } {
  const { data, error } = useQuery<ElementPage>({ queryKey: ['elements', path, order, 0], queryFn: skipToken });
  return { isMissing: isMissing(error), count: data?.total };
}

/** What reads the folder again after a change, and is done when it has been read. */
export function useRefresh(): (path: string) => Promise<void> {
  const client = useQueryClient();
  return useCallback((path: string) => client.invalidateQueries({ queryKey: ['elements', path] }), [client]);
}

function pagesOf(first: number, last: number): number[] {
  const [from, to] = [Math.floor(first / pageSize), Math.floor(Math.max(first, last) / pageSize)];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
