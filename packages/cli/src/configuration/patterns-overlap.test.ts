import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patternsOverlap } from './patterns-overlap.ts';

const letters = ['a', 'b', '/', ''];
const pathsOfTwo = letters.flatMap((x) => letters.map((y) => x + y));
const pathsOfFour = pathsOfTwo.flatMap((x) => pathsOfTwo.map((y) => x + y));

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
  const paths = [...new Set(pathsOfTwo.flatMap((x) => pathsOfFour.map((y) => x + y)))];
  // A common path needs no more letters than the patterns have together, without their wildcards.
  const isShort = ([one, other]: [string, string]): boolean => `${one}${other}`.replaceAll('*', '').length <= 6;
  const property = fc.property(fc.tuple(pattern, pattern).filter(isShort), ([one, other]) => {
    const both = [one, other].map((text) => new RegExp(`^${text.replaceAll('*', '[^/]*')}$`, 'u'));
    const isFound = paths.some((path) => both.every((expression) => expression.test(path)));
    return patternsOverlap(one, other) === isFound;
  });
  expect(fc.check(property, { numRuns: 1_000 }).failed).toBe(false);
});

it('takes no longer for many wildcards', () => {
  expect(patternsOverlap(`${'*a'.repeat(1_000)}b`, `${'*a'.repeat(1_000)}c`)).toBe(false);
});
