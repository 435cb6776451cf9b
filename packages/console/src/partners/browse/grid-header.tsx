import { messages } from '../../page-kit/messages/messages.ts';
import type { ListingOrder } from '../api/elements.ts';

const columns = [
  { sort: 'name', title: messages.columnName, className: 'cell-name' },
  { sort: 'size', title: messages.columnSize, className: 'cell-size' },
  { sort: 'put_date', title: messages.columnStored, className: 'cell-time' },
] as const;

/** The titles of the columns; a click sorts by one, and another click turns the order round. */
export function GridHeader({
  order,
  onOrder,
}: {
  readonly order: ListingOrder;
  readonly onOrder: (order: ListingOrder) => void;
}) {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row">
        <span role="columnheader" className="cell-select">
          <span className="visually-hidden">{messages.selected(0)}</span>
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
