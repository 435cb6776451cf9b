import { expect, test } from 'vitest';
import { likePattern } from './like-pattern.ts';

test.each([
  ['*', '%'],
  ['*.csv', '%.csv'],
  ['a*b*c', 'a%b%c'],
  ['**', '%'],
  ['100%', String.raw`100\%`],
  ['a_b', String.raw`a\_b`],
  [String.raw`a\b`, String.raw`a\\b`],
  ['[a-z]?', '[a-z]?'],
  ['', ''],
])('%j matches as %j: only * is special', (pattern, like) => {
  expect(likePattern(pattern)).toBe(like);
});

test('a pattern is normalised like stored names', () => {
  expect(likePattern('cafe\u0301*')).toBe('caf\u00E9%');
});
