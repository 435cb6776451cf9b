import { type Figure, isMet } from './figure.ts';

const titles = ['', 'ours', 'nginx', 'value', 'budget', ''] as const;

/** Prints figures as a table. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = [titles, ...figures.map(rowOf)];
  const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function rowOf(figure: Figure): readonly string[] {
  const { name, ours, peer = '', value, budget } = figure;
  if (budget === undefined) return [name, ours, peer, peer === '' ? '' : `${value.toFixed(2)} ×`, '', ''];
  const sign = budget.kind === 'at least' ? '>=' : '<=';
  const shown = `${value.toFixed(budget.unit === '×' ? 2 : 1)} ${budget.unit}`;
  return [name, ours, peer, shown, `${sign} ${budget.limit} ${budget.unit}`, isMet(figure) ? 'met' : 'NOT MET'];
}
