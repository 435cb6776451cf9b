import { messages } from '../../page-kit/messages/messages.ts';
import type { ListingOrder } from '../api/elements.ts';

const columns = [
  { sort: 'name', title: messages.columnName, className: 'cell-name' },
  { sort: 'size', title: messages.columnSize, className: 'cell-size' },
  { sort: 'put_date', title: messages.columnStored, className: 'cell-time' },
] as const;

interface GridHeaderProps {
  readonly order: ListingOrder;
  /** How many elements are selected. */
  readonly selected: number;
  readonly total: number;
  readonly onOrder: (order: ListingOrder) => void;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** The box that selects all rows, and the titles of the columns; a click sorts by one, and another click turns the order round. */
export function GridHeader({ order, selected, total, onOrder, onSelectAll, onClear }: GridHeaderProps) {
  const isAll = total > 0 && selected >= total;
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row">
        <span role="columnheader" className="cell-select">
          <input
            type="checkbox"
            aria-label={messages.selectAll}
            checked={isAll}
            ref={(box) => {
              // React knows no attribute for it.
              if (box !== null) box.indeterminate = selected > 0 && !isAll;
            }}
            onChange={isAll ? onClear : onSelectAll}
          />
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
