import { matchesPathPattern, parsePathPattern } from '@waybill/contracts/values/path-pattern';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPatternsOverlap } from './patterns-overlap.ts';

const patternsOverlap = createPatternsOverlap();

const letters = ['a', 'b', '/', ''];
const pathsOfTwo = letters.flatMap((x) => letters.map((y) => x + y));
const pathsOfFour = pathsOfTwo.flatMap((x) => pathsOfTwo.map((y) => x + y));

it.each([
  ['/inbox/*', '/inbox/a.csv', true],
  ['/inbox/*.csv', '/inbox/in-*', true],
  ['/inbox/*.csv', '/inbox/*.csv.gz', false],
  ['/inbox/*', '/inbox/sub/a', false],
  ['/in/**', '/in/a/b/c.csv', true],
  ['/in/**/*.csv', '/in/a.csv', true],
  ['/in/**/x/*', '/in/y/**', true],
  ['/in/**/x', '/in/**/y', false],
  ['/in/**/*.csv', '/out/**', false],
  ['/in/***', '/in/a/b', false],
  ['*', '/a', false],
  ['', '*', true],
  ['a', '', false],
])('%s and %s have a path in common: %s', (one, other, expected) => {
  expect(patternsOverlap(one, other)).toBe(expected);
  expect(patternsOverlap(other, one)).toBe(expected);
});

it('finds what a search through all short paths finds', () => {
  const pattern = fc
    .array(fc.constantFrom('a', 'b', '/', '*'), { maxLength: 5 })
    .map((letters) => letters.join(''))
    .filter((path) => !path.split('/').includes('**'));
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

it('finds a path of any depth that both patterns match', () => {
  const name = fc.constantFrom('a', 'b', 'a*', '*b', '**');
  const pattern = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .map((names) => parseVirtualPath(`/${names.join('/')}`));
  const names = ['a', 'b', 'ab'];
  const byDepth = [['']];
  for (const depth of [1, 2, 3, 4, 5, 6]) {
    byDepth.push((byDepth[depth - 1] ?? []).flatMap((path) => names.map((one) => `${path}/${one}`)));
  }
  const paths = byDepth.flat().slice(1).map(parseVirtualPath);
  const property = fc.property(pattern, pattern, (one, other) => {
    const both = [one, other].map(parsePathPattern);
    // The root has no name, and no file.
    const isFound = paths.some((path) => both.every((parsed) => matchesPathPattern(path, parsed)));
    const onlyRoot = [one, other].every((path) =>
      path
        .split('/')
        .slice(1)
        .every((part) => part === '**'),
    );
    return onlyRoot || patternsOverlap(one, other) === isFound;
  });
  expect(fc.check(property, { numRuns: 500 })).toMatchObject({ failed: false, counterexample: null });
});

it('takes no longer for many wildcards', () => {
  const folders = (count: number, last: string): string => `${'/**/a'.repeat(count)}/${last}`;
  expect(patternsOverlap(folders(500, 'b'), folders(500, 'c'))).toBe(false);
  expect(patternsOverlap(`${'*a'.repeat(1_000)}b`, `${'*a'.repeat(1_000)}c`)).toBe(false);
});
