import { SelectAllBox, type SelectAllBoxProps } from '../../page-kit/components/select-all-box.tsx';
import type { ListingOrder } from '../api/elements.ts';
import { SortButton, sortStateOf } from '../order/sort-button.tsx';
import { texts } from '../texts.ts';

const columns = [
  { sort: 'name', title: texts.columnName, className: 'cell-name' },
  { sort: 'size', title: texts.columnSize, className: 'cell-size' },
  { sort: 'put_date', title: texts.columnStored, className: 'cell-time' },
] as const;

interface GridHeaderProps extends SelectAllBoxProps {
  readonly order: ListingOrder;
  readonly onOrder: (order: ListingOrder) => void;
}

/** The box that selects all rows, and the titles of the columns; a click sorts by one, and another click turns the order round. */
export function GridHeader({ order, onOrder, ...box }: GridHeaderProps) {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row">
        <span role="columnheader" className="cell-select">
          <SelectAllBox {...box} />
        </span>
        {columns.map(({ sort, title, className }) => (
          <span key={sort} role="columnheader" className={className} aria-sort={sortStateOf(order, sort)}>
            <SortButton {...{ order, onOrder, sort }}>{title}</SortButton>
          </span>
        ))}
      </div>
    </div>
  );
}
