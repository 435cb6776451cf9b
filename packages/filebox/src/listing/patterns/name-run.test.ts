import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytePatternOf } from './byte-pattern.ts';
import { countInRun, isInRun, nameRunOf } from './name-run.ts';

/** Few letters, so that they meet; some of more than one byte, with a common first byte. */
const letter = fc.constantFrom('a', 'b', 'a', 'b', '0', '.', '%', '_', '\\', 'é', 'è', '文', '𝒳', '𝒴');
const nameArbitrary = fc.array(letter, { minLength: 1, maxLength: 9 }).map((letters) => letters.join(''));
const patternArbitrary = fc
  .array(fc.oneof(letter, fc.constant('*')), { maxLength: 7 })
  .chain((letters) => fc.nat({ max: letters.length }).map((at) => letters.toSpliced(at, 0, '*').join('')));

function runOf(names: readonly string[]) {
  const sorted = names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return nameRunOf(sorted.join('/'), sorted.length);
}

function countPlainly(names: readonly string[], pattern: string): number {
  const literals = pattern.split('*').map((literal) => literal.replaceAll(/[\\.]/gu, String.raw`\$&`));
  const meant = new RegExp(`^${literals.join('.*')}$`, 'su');
  return names.filter((name) => meant.test(name)).length;
}

test('counts exactly the names that a regular expression of the pattern matches', () => {
  const names = fc.uniqueArray(nameArbitrary, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(names, patternArbitrary, (all, pattern) => {
      const meant = bytePatternOf(pattern);
      if (meant === undefined) throw new Error('it has a star');
      expect(countInRun(runOf(all), meant)).toBe(countPlainly(all, pattern));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['a*a', ['a'], 0],
  ['ab*bc', ['abc', 'abbc'], 1],
  ['*a*a*', ['a', 'aa', 'ba'], 1],
  ['**', ['a', 'b'], 2],
  ['*b/a*', ['ab', 'ac'], 0],
  ['*/*', ['a', 'b'], 0],
  ['*\u0000*', ['a', 'b'], 0],
])('%j means %j %i times', (pattern, names, count) => {
  const meant = bytePatternOf(pattern);
  if (meant === undefined) throw new Error('it has a star');
  expect(countInRun(runOf(names), meant)).toBe(count);
});

test('a pattern is normalised like stored names, and one without a star is a name', () => {
  expect(bytePatternOf('cafe\u0301*')?.prefix).toEqual(Buffer.from('caf\u00E9'));
  expect(bytePatternOf('a')).toBeUndefined();
});

test('a run contains its names and no others', () => {
  const names = ['a', 'aa', 'ab', 'b', 'é'];
  const run = runOf(names);
  for (const name of names) expect(isInRun(run, Buffer.from(name))).toBe(true);
  for (const name of ['', 'aaa', 'a/', 'c', 'è', 'é ']) expect(isInRun(run, Buffer.from(name))).toBe(false);
});
