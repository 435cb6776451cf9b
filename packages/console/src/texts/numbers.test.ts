import { afterEach, expect, it } from 'vitest';
import { setLanguage } from './language.ts';
import { number, plural } from './numbers.ts';

afterEach(() => setLanguage('en'));

it('writes numbers and counts in English', () => {
  expect(number(1_234_567.5)).toBe('1,234,567.5');
  expect([0, 1, 2].map((count) => plural(count, { one: 'one', other: 'more' }))).toEqual(['more', 'one', 'more']);
});

it('counts by the plural rules of another language, and writes numbers as that language does', () => {
  setLanguage('pl');
  const forms = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' };
  expect([1, 2, 5, 22, 1.5].map((count) => plural(count, forms))).toEqual([
    'plik',
    'pliki',
    'plików',
    'pliki',
    'pliku',
  ]);
  expect(plural(5, { one: 'a', other: 'b' })).toBe('b');
  expect(number(1.5)).toBe('1,5');
});
