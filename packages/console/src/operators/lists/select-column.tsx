import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts/texts.ts';
import type { Row, SelectedRows } from './use-selectable-list.ts';
import type { Column } from './virtual-table.tsx';

/** How the rows of a list are selected. */
export interface SelectProps<T extends Row> {
  /** Undefined: none can be selected. */
  readonly selected: SelectedRows<T> | undefined;
  /** The name of the box of a row. */
  readonly nameOf: (row: T) => string;
  /** Whether a row has a box. Default: each has. */
  readonly isOffered?: (row: T) => boolean;
}

/** Columns, and the one before them with which rows are selected. */
export function withSelection<T extends Row>(
  columns: readonly Column<T>[],
  { selected, nameOf, isOffered = () => true }: SelectProps<T>,
): readonly Column<T>[] {
  if (selected === undefined) return columns;
  const box: Column<T> = {
    name: 'select',
    title: <span className="visually-hidden">{texts.selection}</span>,
    rem: 2.25,
    cell: (row) =>
      isOffered(row) && (
        <input
          type="checkbox"
          aria-label={visibleText(nameOf(row))}
          checked={selected.has(row.id)}
          onChange={({ target }) => selected.toggle(row, target.checked)}
        />
      ),
  };
  return [box, ...columns];
}
