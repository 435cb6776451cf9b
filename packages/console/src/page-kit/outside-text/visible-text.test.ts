import { expect, it } from 'vitest';
import { visibleParts, visibleText } from './visible-text.ts';

it.each([
  ['a plain name', 'march 2026 (final).csv'],
  ['Arabic', '\u062a\u0642\u0631\u064a\u0631 \u0645\u0627\u0631\u0633.pdf'],
  ['Hebrew with points', '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd.txt'],
  ['Persian, whose letters are kept apart', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Hindi, whose letters are joined', '\u0915\u094d\u200d\u0937'],
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
  ['a person with a skin', '\u{1f9d1}\u{1f3fd}\u200d\u{1f4bb}'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['the flag of England', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['a variant of an ideograph', '\u845b\u{e0100}'],
  ['a time as browsers write it', '4:05\u202fPM'],
  ['Japanese with its own blank', '\u5831\u544a\u3000\u66f8'],
  ['several lines', '  a:\n    - b  c\n'],
  ['nothing', ''],
])('leaves %s as it is', (_what, text) => {
  expect(visibleText(text)).toBe(text);
});

it.each([
  ['\u202egnp.exe', '[U+202E]gnp.exe'],
  ['a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
  ['a\u200bb', 'a[U+200B]b'],
  ['a\u200d\u200cb', 'a[U+200D][U+200C]b'],
  ['\u0645\u06cc\u200c', '\u0645\u06cc[U+200C]'],
  ['a\ufe0fb', 'a[U+FE0F]b'],
  ['a\u{e0061}\u{e007f}', 'a[U+E0061][U+E007F]'],
  ['\u061ca\u200e\u200f', '[U+061C]a[U+200E][U+200F]'],
  ['\ufeffa\u00adb\u3164\u2800', '[U+FEFF]a[U+00AD]b[U+3164][U+2800]'],
  ['a\u2028b\u001bc\u0085', 'a[U+2028]b[U+001B]c[U+0085]'],
  ['a\ud800', 'a[U+D800]'],
  ['a\u200b\u200b\u200b', 'a[U+200B ×3]'],
  [' a  b\u00a0', '␣a␣␣b␣'],
  ['first\nsecond \u202e ', 'first\nsecond [U+202E] '],
])('marks what %j hides', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it('tells blanks and hidden characters from what is written like a mark', () => {
  expect(visibleParts('a\u202e  ')).toEqual([
    'a',
    { kind: 'hidden', character: '\u202e', count: 1 },
    { kind: 'blanks', count: 2 },
  ]);
  expect(visibleParts('[U+202E]')).toEqual(['[U+202E]']);
});

it('takes no time that grows with the square of a text', () => {
  const start = performance.now();
  for (const unit of [
    ' ',
    ' a',
    '\u200b',
    '\u202ea',
    'a\u0301',
    '\u{1f468}\u200d',
    '\u0628\u200c',
    '\u{1f3f4}\u{e0061}',
  ]) {
    visibleText(unit.repeat(100_000));
  }
  expect(performance.now() - start).toBeLessThan(4_000);
});
