import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLastFailure } from '../../page-kit/use-last-failure.ts';
import { isOld, isRefused, unlessRefused } from '../api/refusals.ts';
import { beginning, type ReadProgress } from './kept-place.ts';

/** A page of a list, and the cursor of the page after it. */
export interface CursorPage<T> {
  readonly rows: readonly T[];
  readonly next: string | undefined;
}

/** A list that is read page by page, each from the cursor that the page before it gave. */
export interface CursorSource<T> {
  /** A change of it begins a new list. */
  readonly queryKey: readonly unknown[];
  /** Rows of every page but the last. */
  readonly pageSize: number;
  /** How often the pages in sight are read again, in milliseconds. */
  readonly refreshEveryMs: number | false;
  read(cursor: string | undefined, signal: AbortSignal): Promise<CursorPage<T>>;
}

/** A list of any length, of which the rows in sight have been read. */
export interface CursorRows<T> {
  /** Known rows, and one more while others follow. */
  readonly count: number;
  /** Whether `count` is that of all rows. */
  readonly isComplete: boolean;
  readonly failure: Error | null;
  readonly isLoading: boolean;
  /** Undefined if it is being read. */
  rowAt(index: number): T | undefined;
}

/** Pages that are out of sight are forgotten after this time. */
const keptMs = 20_000;

/** Reads the pages that hold the rows from `first` to `last`, and keeps them up to date. `kept`: where the list was left, which it follows. */
export function useCursorRows<T>(
  { queryKey, pageSize, refreshEveryMs, read }: CursorSource<T>,
  { first, last }: { readonly first: number; readonly last: number },
  kept: { progress: ReadProgress },
): CursorRows<T> {
  const [progress, setProgress] = useState(kept.progress);
  const { cursors, tail } = progress;
  useEffect(() => {
    kept.progress = progress;
  }, [kept, progress]);
  const from = Math.min(Math.floor(first / pageSize), cursors.length - 1);
  const to = Math.min(Math.floor(Math.max(first, last) / pageSize), cursors.length - 1);
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const results = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...queryKey, cursors[number] ?? null],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(cursors[number], signal),
      refetchInterval: unlessRefused(refreshEveryMs),
      gcTime: keptMs,
    })),
  });
  const pages = new Map(numbers.map((number, position) => [number, results[position]?.data]));
  const newest = [...pages].findLast(([, page]) => page !== undefined);
  useEffect(() => {
    if (newest?.[1] === undefined) return;
    const [number, { rows, next }] = [newest[0], newest[1]];
    setProgress((known) => progressAfter(known, { number, rows: rows.length, next }));
  });
  const isCursorRefused = results.some(({ error }, position) => cursors[numbers[position] ?? 0] && isRefused(error));
  useEffect(() => {
    // A list that was left some time ago may have ended there.
    if (isCursorRefused) setProgress(beginning);
  }, [isCursorRefused]);
  const failed = results.find(({ error, data }) => error !== null && !isOld(error, data !== undefined));
  const failure = useLastFailure(failed?.error ?? null, JSON.stringify([queryKey, newest === undefined]));
  return {
    count: (cursors.length - 1) * pageSize + (tail ?? 1),
    isComplete: tail !== undefined,
    failure: newest === undefined ? failure : (failed?.error ?? null),
    isLoading: results.some(({ isLoading }) => isLoading),
    rowAt: (index) => pages.get(Math.floor(index / pageSize))?.rows[index % pageSize],
  };
}

/** What is known once a page was read. Pages after it that begin elsewhere by now are forgotten. */
function progressAfter(
  known: ReadProgress,
  { number, rows, next }: { readonly number: number; readonly rows: number; readonly next: string | undefined },
): ReadProgress {
  const through = known.cursors.slice(0, number + 1);
  if (next === undefined) {
    return known.tail === rows && known.cursors.length === through.length ? known : { cursors: through, tail: rows };
  }
  return known.cursors[number + 1] === next ? known : { cursors: [...through, next], tail: undefined };
}
