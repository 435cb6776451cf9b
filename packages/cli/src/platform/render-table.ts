/** Columns are separated by this. */
const gap = '  ';

/** Names of files and partners may contain anything: what would move the cursor of a terminal is shown as `?`. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

/** A table for people, a string for each line; without rows, a sentence. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['There are none.'];
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}
