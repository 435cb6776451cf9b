/** A file that only `pnpm generate-docs` writes. */
export interface GeneratedPage {
  /** From the root of the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Renders a GitHub table; a `|` or a line break in a cell does not end it. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |\n`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
