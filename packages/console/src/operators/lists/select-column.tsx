import { texts } from '../texts/texts.ts';
import type { Column } from './virtual-table.tsx';

/** The column with which rows are selected by their numbers. */
export function selectColumn<T extends { readonly id: number }>(props: {
  readonly selection: ReadonlySet<number>;
  readonly onSelect: (selection: ReadonlySet<number>) => void;
  /** The name of the box of a row. */
  readonly nameOf: (id: number) => string;
}): Column<T> {
  const { selection, onSelect, nameOf } = props;
  return {
    name: 'select',
    title: <span className="visually-hidden">{texts.selection}</span>,
    rem: 2.25,
    cell: ({ id }) => (
      <input
        type="checkbox"
        aria-label={nameOf(id)}
        checked={selection.has(id)}
        onChange={({ target }) => {
          const next = new Set(selection);
          if (target.checked) next.add(id);
          else next.delete(id);
          onSelect(next);
        }}
      />
    ),
  };
}
