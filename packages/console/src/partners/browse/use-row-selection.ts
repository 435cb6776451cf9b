import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useCallback, useEffect, useRef, useState } from 'react';
import { listRows, type ListingOrder } from '../api/elements.ts';
import type { Rows } from './use-rows.ts';

/** More elements are not selected at once. */
const selectedAtMost = 5_000;

interface RowSelectionParts {
  readonly path: string;
  readonly order: ListingOrder;
  readonly rows: Rows;
  readonly onToggle: (element: FileElement) => void;
  readonly onAdd: (elements: readonly FileElement[]) => void;
}

/** Selects rows of a folder, also such that have not been read. */
export interface RowSelection {
  /** Why rows could not be selected the last time. */
  readonly failure: string | undefined;
  /** Selects a row, or deselects it; `isRange`: selects all rows from the one before to this one. */
  readonly toggleRow: (element: FileElement, index: number, isRange: boolean) => void;
  /** Selects the rows from one to another. */
  readonly addRows: (first: number, last: number) => void;
  /** Selects every row, up to 5000. */
  readonly addAll: () => void;
}

/** See `RowSelection`. `toggleRow` stays the same from one rendering to the next. */
export function useRowSelection({ path, order, rows, onToggle, onAdd }: RowSelectionParts): RowSelection {
  const { listing } = rows;
  const anchor = useRef<number>(undefined);
  const reading = useRef(new AbortController());
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    reading.current = new AbortController();
    return () => {
      anchor.current = undefined;
      reading.current.abort();
    };
  }, [path, order]);
  const addRows = (first: number, last: number): void => {
    const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step);
    const known = indexes.flatMap((index) => listing.elementAt(index) ?? []);
    if (known.length === indexes.length) return onAdd(known);
    const { signal } = reading.current;
    setFailure(undefined);
    listRows(path, order, { start: first, limit: Math.min(indexes.length, selectedAtMost) }, signal)
      .then(({ elements }) => signal.aborted || onAdd(elements))
      .catch((error: unknown) => signal.aborted || setFailure(error instanceof Error ? error.message : String(error)));
  };
  const choose: RowSelection['toggleRow'] = (element, index, isRange) => {
    const from = anchor.current;
    anchor.current = index;
    if (isRange && from !== undefined) addRows(Math.min(from, index), Math.max(from, index));
    else onToggle(element);
  };
  const latest = useRef(choose);
  useEffect(() => {
    latest.current = choose;
  });
  const toggleRow: RowSelection['toggleRow'] = useCallback((...row) => latest.current(...row), []);
  return { failure, toggleRow, addRows, addAll: () => addRows(0, (listing.total ?? 0) - 1) };
}
