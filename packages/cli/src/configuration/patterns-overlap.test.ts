import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patternsOverlap } from './patterns-overlap.ts';

it.each([
  ['/inbox/*', '/inbox/a.csv', true],
  ['/inbox/*.csv', '/inbox/in-*', true],
  ['/inbox/*.csv', '/inbox/*.csv.gz', false],
  ['/inbox/*', '/inbox/sub/a', false],
  ['*', '/a', false],
  ['', '*', true],
  ['a', '', false],
])('%s and %s have a path in common: %s', (one, other, expected) => {
  expect(patternsOverlap(one, other)).toBe(expected);
  expect(patternsOverlap(other, one)).toBe(expected);
});

it('finds what a search through all short paths finds', () => {
  const pattern = fc.array(fc.constantFrom('a', 'b', '/', '*'), { maxLength: 5 }).map((letters) => letters.join(''));
  const paths = everyPath(['a', 'b', '/'], 6);
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const both = [one, other].map((text) => new RegExp(`^${text.replaceAll('*', '[^/]*')}$`, 'u'));
      const isFound = paths.some((path) => both.every((expression) => expression.test(path)));
      // A common path needs no more letters than the patterns have together, without their wildcards.
      if (`${one}${other}`.replaceAll('*', '').length <= 6) expect(patternsOverlap(one, other)).toBe(isFound);
    }),
    { numRuns: 2_000 },
  );
});

it('takes no longer for many wildcards', () => {
  expect(patternsOverlap(`${'*a'.repeat(1_000)}b`, `${'*a'.repeat(1_000)}c`)).toBe(false);
});

function everyPath(letters: readonly string[], longest: number): string[] {
  let [all, last]: [string[], string[]] = [[''], ['']];
  for (let length = 1; length <= longest; length += 1) {
    last = last.flatMap((path) => letters.map((letter) => `${path}${letter}`));
    all = [...all, ...last];
  }
  return all;
}
