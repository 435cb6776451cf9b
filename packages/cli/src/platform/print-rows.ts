import type { Invocation } from '../command.ts';
import { layOut, renderTable } from './render-table.ts';

/** A column of a table: its head, and the cell of a row. */
export type Column<T> = readonly [head: string, cell: (row: T) => string];

/** Prints rows: with `--json` one JSON text a line, otherwise a table. */
export function printRows<T>(
  { values, out }: Pick<Invocation, 'values' | 'out'>,
  rows: readonly T[],
  columns: readonly Column<T>[],
): void {
  const lines =
    values['json'] === true
      ? rows.map((row) => JSON.stringify(row))
      : renderTable(
          columns.map(([head]) => head),
          rows.map((row) => columns.map(([, cell]) => cell(row))),
        );
  for (const line of lines) out(line);
}

/** Prints one table page by page: its head once, and no column of a page is narrower than on the page before. */
export function pagePrinter<T>(
  invocation: Pick<Invocation, 'values' | 'out'>,
  columns: readonly Column<T>[],
): (rows: readonly T[]) => void {
  let known: readonly number[] | undefined;
  return (rows) => {
    if (invocation.values['json'] === true || rows.length === 0) {
      if (known === undefined || rows.length > 0) printRows(invocation, rows, columns);
      return;
    }
    const head = known === undefined ? [columns.map(([title]) => title)] : [];
    const { lines, widths } = layOut([...head, ...rows.map((row) => columns.map(([, cell]) => cell(row)))], known);
    known = widths;
    for (const line of lines) invocation.out(line);
  };
}

/** Prints one thing: with `--json` as JSON, otherwise as these lines. */
export function printOne(
  { values, out }: Pick<Invocation, 'values' | 'out'>,
  value: unknown,
  lines: readonly string[],
): void {
  for (const line of values['json'] === true ? [JSON.stringify(value)] : lines) out(line);
}
