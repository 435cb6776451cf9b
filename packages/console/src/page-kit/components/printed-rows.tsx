import { createStore, useStore } from '../create-store.ts';
import { texts } from '../texts.ts';

const isPrinting = createStore(false);

addEventListener('beforeprint', () => isPrinting.set(true));
addEventListener('afterprint', () => isPrinting.set(false));

/** A row of a long list, and where it begins in pixels, which does not matter on paper. */
interface PlacedRow {
  readonly index: number;
  readonly start: number;
}

/**
 * While the page is printed, the rows of a long list that have been read, also those out of sight: nothing can be read before the
 * paper is laid out. Undefined otherwise.
 */
export function usePrintedRows(count: number, isRead: (index: number) => boolean): readonly PlacedRow[] | undefined {
  if (!useStore(isPrinting)) return undefined;
  const rows: PlacedRow[] = [];
  for (let index = 0; index < count; index += 1) if (isRead(index)) rows.push({ index, start: 0 });
  return rows;
}

/** On paper, says which rows of a long list it has, if those are not all. `total`: undefined if that is not known. */
export function PrintedRows({
  rows,
  total,
}: {
  readonly rows: readonly PlacedRow[];
  readonly total: number | undefined;
}) {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!useStore(isPrinting) || first === undefined || last === undefined || rows.length === total) return null;
  return <p className="hint">{texts.printedRows(first.index + 1, last.index + 1)}</p>;
}
