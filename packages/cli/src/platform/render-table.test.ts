import { expect, it } from 'vitest';
import { pagePrinter } from './print-rows.ts';
import { barOf, sizeText } from './progress-bar.ts';
import { printable, renderTable } from './render-table.ts';

it('columns are as wide as their widest cell, and nothing in a cell moves the cursor', () => {
  expect(
    renderTable(
      ['NAME', 'SIZE'],
      [
        ['a\u001b[31m\nb', '1'],
        ['c\u009b\u202e', '10'],
      ],
    ),
  ).toEqual(['NAME      SIZE', 'a?[31m?b  1', 'c??       10']);
  expect(renderTable(['NAME'], [])).toEqual(['There are none.']);
});

it('what is not seen is marked, and what honest names have is not', () => {
  expect(printable('a\u200bb\u00adc\u3164\u2066d\u034f\u2800e\ufe0f')).toBe('a?b?c??d??e?');
  for (const name of ['\u062a\u0642\u0631\u064a\u0631.pdf', '\u2764\ufe0f', 'Stra\u00dfe', '\u5831\u544a']) {
    expect(printable(name)).toBe(name);
  }
});

it('pages are one table: one head, and columns that do not become narrower', () => {
  const lines: string[] = [];
  const print = pagePrinter<string>({ values: {}, out: (line) => lines.push(line) }, [
    ['NAME', (name) => name],
    ['SIZE', (name) => String(name.length)],
  ]);
  for (const page of [['abcdefgh'], ['a'], []]) print(page);
  expect(lines).toEqual(['NAME      SIZE', 'abcdefgh  8', 'a         1']);
});

it('sizes are in binary units', () => {
  expect([0, 1_023, 1_024, 1_536_000, 5 * 1_024 ** 4].map(sizeText)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 MiB',
    '5.0 TiB',
  ]);
});

it.each([10, 40, 60, 80, 200])('a progress bar fits into %i columns', (columns) => {
  const state = { title: 'march.csv', bytes: 512, total: 1_024, perSecond: 100, columns };
  expect(barOf(state).length).toBeLessThan(columns);
  expect(barOf({ ...state, columns: 200 })).toContain(
    ' 50% [====================                    ] 512 B of 1.0 KiB, 100 B/s, 6 s left',
  );
  expect(barOf({ ...state, bytes: 0, total: 0, columns: 200 })).toContain('100%');
});
