import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suffixRangeOf } from './suffix-range.ts';

test.each(['*', '**', '', 'a', 'a*', '*a*', 'a*b', '*a*b'])('%j is not a pattern of a suffix only', (pattern) => {
  expect(suffixRangeOf(pattern)).toBeUndefined();
});

test.each([
  ['*.csv', 'vsc.', 'vsc/'],
  ['**b', 'b', 'c'],
  ['*\u{D7FF}', '\u{D7FF}', '\u{E000}'],
  ['*\u{10FFFF}a', 'a\u{10FFFF}', 'b'],
  ['*\u{10FFFF}', '\u{10FFFF}', undefined],
  ['*e\u0301', 'é', 'ê'],
])('%j is the range of reversed names from %j to %j', (pattern, from, to) => {
  expect(suffixRangeOf(pattern)).toEqual({ from, to });
});

const letter = fc.oneof(
  fc.constantFrom('a', 'b', '%', '_', '\\', '\u{D7FF}', '\u{E000}', '\u{10FFFF}'),
  fc.string({ unit: 'grapheme' }),
);
const text = fc
  .array(letter, { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join('').replaceAll('*', '').normalize('NFC'));

test('a name is in the range exactly if it has the suffix', () => {
  fc.assert(
    fc.property(text, text, fc.boolean(), (suffix, other, ends) => {
      fc.pre(suffix !== '');
      const name = ends ? (other + suffix).normalize('NFC') : other;
      const range = suffixRangeOf(`*${suffix}`);
      const backwards = Buffer.from(Array.from(name).toReversed().join(''));
      const isIn =
        range !== undefined &&
        Buffer.compare(Buffer.from(range.from), backwards) <= 0 &&
        (range.to === undefined || Buffer.compare(backwards, Buffer.from(range.to)) < 0);
      expect(isIn).toBe(name.endsWith(suffix));
    }),
  );
});
