import { expect, it } from 'vitest';
import { parseTable } from './parse-table.ts';

it.each([
  [
    'commas',
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons',
    'a;b\n1,5;2\n',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'quotes',
    '"a, b","say ""hi""",c\n"two\nlines",,',
    [
      ['a, b', 'say "hi"', 'c'],
      ['two\nlines', '', ''],
    ],
  ],
  ['a mark of the byte order', '\ufeffa\tb', [['a', 'b']]],
  ['a quote that is never closed', 'a,"b\nc', [['a', 'b\nc']]],
  ['text after a quote', '"a"b,c', [['ab', 'c']]],
  ['an empty line', 'a\n\nb', [['a'], [''], ['b']]],
])('reads %s', (_what, text, rows) => {
  expect(parseTable(text)).toEqual({ rows, isCut: false });
});

it('shows the first rows, columns and characters of a big table', () => {
  const { rows, isCut } = parseTable(`${'x'.repeat(1_000)}${',y'.repeat(99)}\n`.repeat(600));
  expect([rows.length, rows[0]?.length, rows[0]?.[0]?.length, isCut]).toEqual([500, 50, 500, true]);
});
