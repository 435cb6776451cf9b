import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  type UIEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { PrintedRows, usePrintedRows } from '../../page-kit/components/printed-rows.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { Failure } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { type KeptPlace, type RowControl, useKeptPlace } from './kept-place.ts';
import { type CursorSource, useCursorRows } from './use-cursor-rows.ts';

/** The height of a row in pixels; console.css has the same. */
const rowHeight = 44;

/** The distance between columns, and the space beside a row, in rem; console.css has the same. */
const [gapRem, paddingRem] = [0.5, 0.75];

/** What a share of the width that is left counts for on paper, in rem. */
const remOfShare = 4;

/** Wide enough for a time to the minute with the longest name of a zone, in rem. */
export const timeRem = 17;

/** The same for a time to the second. */
export const exactTimeRem = 18.5;

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly title: ReactNode;
  /** The least width, in rem: what is in the column can be read then. */
  readonly rem: number;
  /** The share of the width that is left; default: none. */
  readonly share?: number;
  readonly cell: (row: T) => ReactNode;
}

interface VirtualTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly source: CursorSource<T>;
  /** Shown instead of rows if there are none. */
  readonly empty: string;
  /** Below it: what can be done then. */
  readonly whenEmpty?: ReactNode;
  readonly keyOf: (row: T) => string | number;
  /** Is called with whether there are no rows, as often as that changes. */
  readonly onEmpty?: (isEmpty: boolean) => void;
}

/**
 * A table of any length, of which only the rows in sight are in the page. It fills the height that the page gives it. The
 * keys of the scroll bar scroll it; Tab leads through the controls of the rows in sight. A narrow page scrolls it sideways.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, columns, source, empty, whenEmpty, keyOf, onEmpty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const { rows, shown, height, place } = useRowsInSight(source, scroller);
  const total = rows.isComplete ? rows.count : undefined;
  useEffect(() => onEmpty?.(total === 0), [onEmpty, total]);
  const followScrolling = ({ currentTarget: { scrollLeft, scrollTop } }: UIEvent<HTMLDivElement>): void => {
    if (head.current !== null) head.current.scrollLeft = scrollLeft;
    place.offset = scrollTop;
  };
  return (
    <div className="table">
      <Failure error={rows.failure} />
      <div className="table-grid" role="table" aria-label={label} aria-rowcount={total === undefined ? -1 : total + 1}>
        <Head ref={head} columns={columns} />
        <div
          className="table-rows"
          role="rowgroup"
          ref={scroller}
          tabIndex={0}
          aria-busy={rows.isLoading}
          onScroll={followScrolling}
          onFocus={({ target }) => (place.focus = controlOf(target))}
        >
          <div role="presentation" style={{ ...templateOf(columns), height }}>
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
      <PrintedRows rows={shown} total={total} />
      <NoRows isEmpty={total === 0} {...{ empty, whenEmpty }} />
    </div>
  );
}

/** What is shown instead of rows. A screen reader says what appears in a part that was there before. */
function NoRows(props: { readonly isEmpty: boolean; readonly empty: string; readonly whenEmpty: ReactNode }) {
  const { isEmpty, empty, whenEmpty } = props;
  return (
    <>
      <div role="status">{isEmpty && <p className="empty">{empty}</p>}</div>
      {isEmpty && whenEmpty}
    </>
  );
}

/** Reads the rows that are in sight, or near it, from where the user has left the list. */
function useRowsInSight<T>(source: CursorSource<T>, scroller: RefObject<HTMLDivElement | null>) {
  const place = useKeptPlace(source.queryKey);
  const [begin] = useState(() => ({ offset: place.offset, row: Math.floor(place.offset / rowHeight) }));
  const [range, setRange] = useState({ first: begin.row, last: begin.row });
  const rows = useCursorRows(source, range, place);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialOffset: begin.offset,
  });
  const inSight = virtualizer.getVirtualItems();
  const [first, last] = [inSight[0]?.index ?? begin.row, inSight.at(-1)?.index ?? begin.row];
  useFocusedRow(place, scroller);
  useEffect(() => setRange({ first, last }), [first, last]);
  const shown = usePrintedRows(rows.count, (index) => rows.rowAt(index) !== undefined) ?? inSight;
  return { rows, shown, height: virtualizer.getTotalSize(), place };
}

const controls = 'a[href], button, input';

/** Focuses what had the focus in a row when the list was left, once that row is there again, unless the user has moved on. */
function useFocusedRow({ focus, offset }: KeptPlace, scroller: RefObject<HTMLDivElement | null>): void {
  const [isInSight] = useState(() => focus !== undefined && Math.abs(focus.row * rowHeight - offset) < innerHeight);
  const wanted = useRef(isInSight ? focus : undefined);
  useEffect(() => {
    if (wanted.current === undefined) return undefined;
    const { row, control } = wanted.current;
    const found = scroller.current?.querySelector(`[aria-rowindex="${row + 2}"]`)?.querySelectorAll(controls)[control];
    if (!(found instanceof HTMLElement)) return undefined;
    // A page focuses its title when it opens.
    const frame = requestAnimationFrame(() => {
      wanted.current = undefined;
      const { activeElement: present } = document;
      if (present === document.body || present?.tagName === 'H1') found.focus();
    });
    return () => cancelAnimationFrame(frame);
  });
}

/** Which control of which row has the focus. */
function controlOf(element: Element): RowControl | undefined {
  const row = element.closest('[aria-rowindex]');
  if (row === null) return undefined;
  return { row: Number(row.ariaRowIndex) - 2, control: [...row.querySelectorAll(controls)].indexOf(element) };
}

function Head<T>({ ref, columns }: { readonly ref: Ref<HTMLDivElement>; readonly columns: readonly Column<T>[] }) {
  return (
    <div role="rowgroup" className="table-head" ref={ref}>
      <div className="table-row" role="row" aria-rowindex={1} style={templateOf(columns)}>
        {columns.map(({ name, title }) => (
          <span key={name} role="columnheader" className="cell">
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Rendered again when its row or the columns have changed, and not while the list is scrolled. */
const Cells = memo(function Cells<T>({ columns, row }: { readonly columns: readonly Column<T>[]; readonly row: T }) {
  return columns.map(({ name, cell }) => {
    const content = cell(row);
    // The whole text is in the tip where the column cuts it off.
    const tip = typeof content === 'string' ? { title: visibleText(content) } : {};
    return (
      <span key={name} role="cell" className="cell" {...tip}>
        {typeof content === 'string' ? <OutsideText text={content} /> : content}
      </span>
    );
  });
}) as <T>(props: { readonly columns: readonly Column<T>[]; readonly row: T }) => ReactNode;

/** The widths of the columns and the least width of a row, for console.css. */
function templateOf<T>(columns: readonly Column<T>[]): CSSProperties {
  const template = columns.map(({ rem, share }) =>
    share === undefined ? `${rem}rem` : `minmax(${rem}rem, ${share}fr)`,
  );
  // On paper, nothing scrolls sideways: all share the breadth.
  const paper = columns.map(({ rem, share = 0 }) => `minmax(0, ${rem + remOfShare * share}fr)`);
  const least = columns.reduce((sum, { rem }) => sum + rem + gapRem, 2 * paddingRem - gapRem);
  return {
    '--columns': template.join(' '),
    '--paper-columns': paper.join(' '),
    minInlineSize: `${least}rem`,
  } as CSSProperties;
}
