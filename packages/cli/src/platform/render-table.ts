/** Columns are separated by this. */
const gap = '  ';

/** Selectors of variants of a character that is not ASCII are left alone, such as those of emoji. */
const unprintable =
  /(?!(?<=[^ -~])\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/**
 * Names of files and partners may contain anything: what would move the cursor of a terminal, turn the direction of the text,
 * or not be seen, is shown as `?`.
 */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '?');
}

/** The lines of a stream as a terminal may show them. */
export async function* printableLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${printable(line.replace(/\r$/u, ''))}\n`;
  }
  if (rest !== '') yield printable(rest);
}

/** A table for people, a string for each line; without rows, a sentence. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['There are none.'];
  return layOut([head, ...rows]).lines;
}

/** Rows as lines whose columns are as wide as their widest cell, and at least as wide as they are said to be. */
export function layOut(
  rows: readonly (readonly string[])[],
  atLeast: readonly number[] = [],
): { readonly lines: string[]; readonly widths: readonly number[] } {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(atLeast[column] ?? 0, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
  return { lines, widths };
}
