import { expect, it } from 'vitest';
import { boundLines } from './bound-lines.ts';

it.each([
  ['English', 'a\u0301 line'],
  ['Thai', '\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48 \u0e19\u0e49\u0e33'],
  ['Hebrew with points and accents', '\u05d1\u05bc\u05b0\u05e8\u05b5\u05d0\u05e9\u05c1\u05b4\u0596\u05d9\u05ea'],
  ['an emoji with a skin', '\u{1f44d}\u{1f3fd}'],
  ['a long line of Latin letters', `{"key":"${'ab'.repeat(50_000)}"}`],
  ['many lines of Arabic', '\u0628\u0628 \u0628\n'.repeat(10_000)],
])('leaves %s as it is', (_what, text) => {
  expect(boundLines(text)).toBe(text);
});

it.each(['\u0301', '\u{1f3fb}', '\u0e33'])('gives no letter more than 16 of %j', (mark) => {
  expect(boundLines(`a${mark.repeat(17)}b`)).toBe(`a${mark.repeat(16)}\u25cc${mark}b`);
  const shown = boundLines(`a${mark.repeat(100_000)}`);
  expect(shown.replaceAll(/[\u25cc\n]/gu, '')).toBe(`a${mark.repeat(100_000)}`);
  expect(Math.max(...shown.split(/[\u25cc\n]/u).map((run) => Array.from(run).length))).toBeLessThanOrEqual(17);
});

it('breaks long lines of letters that are costly to draw', () => {
  const lines = boundLines('\u1780'.repeat(2_500)).split('\n');
  expect(lines.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(boundLines('\u{20000}'.repeat(1_001))).toBe(`${'\u{20000}'.repeat(1_000)}\n\u{20000}`);
});
