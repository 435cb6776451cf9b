import { useMemo, useState } from 'react';
import { type ChangeFilters, type Filters, useFilters } from '../address/use-filters.ts';

/** A row of a list, with its number or its id. */
export interface Row {
  readonly id: number | string;
}

/** The selected rows of a list. */
export interface SelectedRows<T extends Row> {
  /** As they were when they were selected. */
  readonly rows: readonly T[];
  has(id: T['id']): boolean;
  toggle(row: T, isSelected: boolean): void;
  clear(): void;
}

/** What something is done to: some rows, or all that match filters. */
export type BulkTarget<T, F> = { readonly rows: readonly T[] } | { readonly filters: F };

/** A list with filters in the address, of which rows can be selected. */
export interface SelectableList<T extends Row, K extends string> {
  readonly filters: Filters<K>;
  /** Ends the selection, too: its rows may not be in the list any more. */
  readonly changeFilters: ChangeFilters<K>;
  /** The filters that nothing can match. */
  readonly faulty: readonly string[];
  readonly selected: SelectedRows<T>;
  /** Whether the list is known to have no rows. */
  readonly isEmpty: boolean;
  readonly noteEmpty: (isEmpty: boolean) => void;
}

/** The filters and the selected rows of a list. `names` must be the same array each time. */
export function useSelectableList<T extends Row, K extends string>(
  names: readonly K[],
  findFaulty: (filters: Filters<K>) => readonly string[],
): SelectableList<T, K> {
  const [filters, change] = useFilters(names);
  const selected = useSelectedRows<T>();
  const [isEmpty, noteEmpty] = useState(false);
  const changeFilters: typeof change = (values) => {
    selected.clear();
    change(values);
  };
  return { filters, changeFilters, faulty: findFaulty(filters), selected, isEmpty, noteEmpty };
}

function useSelectedRows<T extends Row>(): SelectedRows<T> {
  const [byId, setById] = useState<ReadonlyMap<T['id'], T>>(new Map());
  return useMemo(
    () => ({
      rows: [...byId.values()],
      has: (id) => byId.has(id),
      toggle: (row, isSelected) =>
        setById((known) => {
          const next = new Map(known);
          if (isSelected) next.set(row.id, row);
          else next.delete(row.id);
          return next;
        }),
      clear: () => setById(new Map()),
    }),
    [byId],
  );
}
