import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { Failure } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { type CursorSource, useCursorRows } from './use-cursor-rows.ts';

/** The height of a row in pixels; console.css has the same. */
const rowHeight = 44;

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly title: ReactNode;
  /** As in `grid-template-columns`: `8rem`, `minmax(0, 1fr)`. */
  readonly width: string;
  /** Left out where the table is narrow. */
  readonly isWide?: boolean;
  readonly cell: (row: T) => ReactNode;
}

/**
 * A table of any length, of which only the rows in sight are in the page. It fills the height that the page gives it. The
 * keys of the scroll bar scroll it; Tab leads through the controls of the rows in sight.
 */
export function VirtualTable<T>(props: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly source: CursorSource<T>;
  /** Shown instead of rows if there are none. */
  readonly empty: string;
  readonly keyOf: (row: T) => string | number;
}) {
  const { label, columns, source, empty, keyOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const rows = useCursorRows(source, range);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const shown = virtualizer.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => setRange({ first, last }), [first, last]);
  return (
    <div className="table">
      <Failure error={rows.failure} />
      <div className="table-grid" role="table" aria-label={label} aria-rowcount={rows.isComplete ? rows.count + 1 : -1}>
        <Head columns={columns} />
        <div className="table-rows" role="rowgroup" ref={scroller} tabIndex={0} aria-busy={rows.isLoading}>
          <div role="presentation" style={{ ...templateOf(columns), height: virtualizer.getTotalSize() }}>
            {shown.map(({ index, start }) => {
              const row = rows.rowAt(index);
              if (row === undefined && rows.failure !== null) return null;
              const place = { className: 'table-row', role: 'row', 'aria-rowindex': index + 2 };
              return (
                <div key={row === undefined ? `row ${index}` : keyOf(row)} {...place} style={{ top: start }}>
                  {row === undefined ? <span role="cell">{texts.loading}</span> : <Cells columns={columns} row={row} />}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {rows.isComplete && rows.count === 0 && <p className="empty">{empty}</p>}
    </div>
  );
}

function Head<T>({ columns }: { readonly columns: readonly Column<T>[] }) {
  return (
    <div role="rowgroup" className="table-head" style={templateOf(columns)}>
      <div className="table-row" role="row" aria-rowindex={1}>
        {columns.map(({ name, title, isWide }) => (
          <span key={name} role="columnheader" {...wideness(isWide)}>
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Rendered again when its row or the columns have changed, and not while the list is scrolled. */
const Cells = memo(function Cells<T>({ columns, row }: { readonly columns: readonly Column<T>[]; readonly row: T }) {
  return columns.map(({ name, isWide, cell }) => (
    <span key={name} role="cell" {...wideness(isWide)}>
      {cell(row)}
    </span>
  ));
}) as <T>(props: { readonly columns: readonly Column<T>[]; readonly row: T }) => ReactNode;

function wideness(isWide = false): { className: string } {
  return { className: isWide ? 'cell wide' : 'cell' };
}

/** The widths of the columns, for wide and for narrow tables; console.css chooses. */
function templateOf<T>(columns: readonly Column<T>[]): CSSProperties {
  const [wide, narrow] = [columns, columns.filter(({ isWide }) => isWide !== true)].map((some) =>
    some.map(({ width }) => width).join(' '),
  );
  return { '--wide': wide, '--narrow': narrow } as CSSProperties;
}
