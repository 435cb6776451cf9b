import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts/texts.ts';
import type { Column } from './virtual-table.tsx';

/** How the rows of a list are selected. */
export interface SelectProps<T extends { readonly id: number | string }> {
  /** The numbers or ids of the selected rows. */
  readonly selection: { has(id: T['id']): boolean };
  readonly onToggle: (row: T, isSelected: boolean) => void;
  /** The name of the box of a row. */
  readonly nameOf: (row: T) => string;
  /** Whether a row has a box. Default: each has. */
  readonly isOffered?: (row: T) => boolean;
}

/** The column with which rows are selected. */
export function selectColumn<T extends { readonly id: number | string }>({
  selection,
  onToggle,
  nameOf,
  isOffered = () => true,
}: SelectProps<T>): Column<T> {
  return {
    name: 'select',
    title: <span className="visually-hidden">{texts.selection}</span>,
    rem: 2.25,
    cell: (row) =>
      isOffered(row) && (
        <input
          type="checkbox"
          aria-label={visibleText(nameOf(row))}
          checked={selection.has(row.id)}
          onChange={({ target }) => onToggle(row, target.checked)}
        />
      ),
  };
}

/** Rows that are selected by their numbers alone. */
export function byNumber(
  selection: ReadonlySet<number>,
  onSelect: (selection: ReadonlySet<number>) => void,
): Pick<SelectProps<{ readonly id: number }>, 'selection' | 'onToggle'> {
  const onToggle = ({ id }: { readonly id: number }, isSelected: boolean): void => {
    const next = new Set(selection);
    if (isSelected) next.add(id);
    else next.delete(id);
    onSelect(next);
  };
  return { selection, onToggle };
}
