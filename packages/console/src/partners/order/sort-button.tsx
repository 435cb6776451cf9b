import type { ListingOrder } from '../api/elements.ts';

/** A title of a column that sorts by it; another press turns the order round. */
export interface SortButtonProps {
  readonly order: ListingOrder;
  readonly onOrder: (order: ListingOrder) => void;
  readonly sort: ListingOrder['sort'];
  readonly children: string;
}

/** See `SortButtonProps`. */
export function SortButton({ order, onOrder, sort, children }: SortButtonProps) {
  const isSorted = order.sort === sort;
  const direction = isSorted && order.direction === 'ASC' ? 'DESC' : 'ASC';
  return (
    <button type="button" className="plain" onClick={() => onOrder({ ...order, sort, direction })}>
      {children}
      {isSorted && <span aria-hidden="true">{order.direction === 'ASC' ? ' ↑' : ' ↓'}</span>}
    </button>
  );
}

/** How a column is sorted, for `aria-sort`. */
export function sortStateOf(order: ListingOrder, sort: ListingOrder['sort']): 'ascending' | 'descending' | 'none' {
  if (order.sort !== sort) return 'none';
  return order.direction === 'ASC' ? 'ascending' : 'descending';
}
