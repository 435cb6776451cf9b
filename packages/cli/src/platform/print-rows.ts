import type { Invocation } from '../command.ts';
import { renderTable } from './render-table.ts';

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

/** Prints one thing: with `--json` as JSON, otherwise as these lines. */
export function printOne(
  { values, out }: Pick<Invocation, 'values' | 'out'>,
  value: unknown,
  lines: readonly string[],
): void {
  for (const line of values['json'] === true ? [JSON.stringify(value)] : lines) out(line);
}
