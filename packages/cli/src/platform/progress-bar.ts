import type { TransferProgress } from '@waybill/platform-client/transfers/transfer-options';
import type { Invocation } from '../command.ts';
import { printable } from './render-table.ts';

const everyMs = 100;
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size for people. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return power === 0 ? `${bytes} B` : `${(bytes / 1_024 ** power).toFixed(1)} ${units[power]}`;
}

/** Shows a transfer in one line of the terminal; without one, nothing. `end` removes the line. */
export function showProgress({ terminal, values }: Pick<Invocation, 'terminal' | 'values'>, title: string) {
  if (!terminal || values['json'] === true || values['quiet'] === true)
    return { onProgress: undefined, end: () => undefined };
  const begun = performance.now();
  let [first, last]: [number | undefined, number] = [undefined, 0];
  return {
    onProgress: ({ bytes, total }: TransferProgress): void => {
      first ??= bytes;
      const now = performance.now();
      if (now - last < everyMs && bytes < total) return;
      last = now;
      const perSecond = ((bytes - first) / Math.max(1, now - begun)) * 1_000;
      terminal.showStatus(barOf({ title, bytes, total, perSecond, columns: terminal.columns() }));
    },
    end: () => terminal.showStatus(''),
  };
}

/** `march.csv  45% [=====     ] 4.5 MiB of 10.0 MiB, 1.2 MiB/s, 5 s left`, as wide as the terminal. */
export function barOf(state: TransferProgress & { title: string; perSecond: number; columns: number }): string {
  const { title, bytes, total, perSecond, columns } = state;
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const left = perSecond > 0 ? `, ${Math.ceil((total - bytes) / perSecond)} s left` : '';
  const numbers = `${sizeText(bytes)} of ${sizeText(total)}, ${sizeText(Math.round(perSecond))}/s${left}`;
  const head = `${printable(title)} ${String(Math.floor(share * 100)).padStart(3)}% `;
  const width = Math.min(40, columns - head.length - numbers.length - 4);
  const filled = Math.round(share * width);
  const bar = width < 4 ? '' : `[${'='.repeat(filled)}${' '.repeat(width - filled)}] `;
  return `${head}${bar}${numbers}`.slice(0, Math.max(0, columns - 1));
}
