import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalsOf, matchesPattern, parseNamePattern } from './name-pattern.ts';

/** The same rule, said by a regular expression. */
function oracle(name: string, pattern: string): boolean {
  const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[ab.]*');
  return new RegExp(`^${source}$`, 'u').test(name);
}

describe('parseNamePattern', () => {
  it.each([
    ['', ['']],
    ['a', ['a']],
    ['*', ['', '']],
    ['***', ['', '']],
    ['*.csv', ['', '.csv']],
    ['a**b*c', ['a', 'b', 'c']],
    ['*\\*%?', ['', '\\', '%?']],
    ['cafe\u0301*', ['caf\u00e9', '']],
  ])('%j has the literals %j', (pattern, literals) => {
    expect(literalsOf(parseNamePattern(pattern))).toEqual(literals);
  });
});

describe('matchesPattern', () => {
  it.each([
    ['a.csv', '*.csv', true],
    ['.csv', '*.csv', true],
    ['a.csv.gz', '*.csv', false],
    ['A.CSV', '*.csv', false],
    ['acsv', '*.csv', false],
    ['anything', '*', true],
    ['a.csv', 'a.csv', true],
    ['a.csv', 'a.cs', false],
    ['a?.[b]+(c)', 'a?.[b]+(c)', true],
    ['ab.b', 'a?.[b]', false],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['ab', '*ab*b', false],
    ['in-2025-05.csv', 'in-*-*.csv', true],
    ['caf\u00e9.csv', 'cafe\u0301*', true],
  ])('%s is of the form %s: %s', (name, pattern, expected) => {
    expect(matchesPattern(name, parseNamePattern(pattern))).toBe(expected);
  });

  it('says the same as a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 5 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 });
    fc.assert(
      fc.property(letters, patterns, (name, pattern) => {
        expect(matchesPattern(name, parseNamePattern(pattern))).toBe(oracle(name, pattern));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is not slowed down by a pattern of many wildcards', () => {
    // Processor time of this thread: other work of the machine does not count.
    const before = process.threadCpuUsage();
    expect(matchesPattern('a'.repeat(255), parseNamePattern(`${'*a'.repeat(120)}*b`))).toBe(false);
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(100_000);
  });
});
