import { useEffect, useState } from 'react';
import type { CursorPage } from './use-cursor-rows.ts';
import type { BulkTarget } from './use-selectable-list.ts';

/** Finds the rows that match filters, and calls back with their number as they arrive. Undefined: there are too many. */
export type FindMatching<T, F> = (
  filters: F,
  onFound: (count: number) => void,
  signal: AbortSignal,
) => Promise<readonly T[] | undefined>;

/** The rows that something would be done to. */
export interface MatchingRows<T> {
  /** Empty until they are known. */
  readonly rows: readonly T[];
  /** How many were found so far; undefined once that is over. */
  readonly counted: number | undefined;
  readonly failure: string | undefined;
  /** More match than are changed at once. */
  readonly isCut: boolean;
}

/** Finds the rows that something would be done to. `target` must be the same object each time. */
export function useMatchingRows<T, F>(target: BulkTarget<T, F>, find: FindMatching<T, F>): MatchingRows<T> {
  const [counted, setCounted] = useState<number | undefined>('rows' in target ? undefined : 0);
  const [rows, setRows] = useState<readonly T[] | undefined>('rows' in target ? target.rows : undefined);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if ('rows' in target) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    find(target.filters, setCounted, signal)
      .then((found) => {
        if (signal.aborted) return;
        setRows(found);
        setCounted(undefined);
      })
      .catch((error: unknown) => signal.aborted || setFailure(error instanceof Error ? error.message : String(error)));
    return () => ending.abort();
  }, [target, find]);
  return { rows: rows ?? [], counted, failure, isCut: rows === undefined && counted === undefined };
}

/** Reads all pages of a list, each from the cursor of the one before it. Undefined: they have more than `most` rows. */
export async function readMatching<T>(
  readPage: (cursor: string | undefined) => Promise<CursorPage<T>>,
  { most, onFound }: { readonly most: number; readonly onFound: (count: number) => void },
): Promise<readonly T[] | undefined> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const { rows, next } = await readPage(cursor);
    found.push(...rows);
    if (found.length > most) return undefined;
    onFound(found.length);
    cursor = next;
  } while (cursor !== undefined);
  return found;
}
