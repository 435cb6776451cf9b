import { SelectAllBox, type SelectAllBoxProps } from '../../page-kit/components/select-all-box.tsx';
import type { ListingOrder } from '../api/elements.ts';
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
        {columns.map(({ sort, title, className }) => {
          const isSorted = order.sort === sort;
          const direction = isSorted && order.direction === 'ASC' ? 'DESC' : 'ASC';
          return (
            <span
              key={sort}
              role="columnheader"
              className={className}
              aria-sort={isSorted ? sortNames[order.direction] : 'none'}
            >
              <button type="button" className="plain" onClick={() => onOrder({ ...order, sort, direction })}>
                {title}
                {isSorted && <span aria-hidden="true">{order.direction === 'ASC' ? ' ↑' : ' ↓'}</span>}
              </button>
            </span>
          );
        })}
      </div>
    </div>
  );
}

const sortNames = { ASC: 'ascending', DESC: 'descending' } as const;
