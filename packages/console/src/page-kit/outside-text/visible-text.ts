import { breakMarks } from './break-marks.ts';

/** A part of a text: as it is, or a mark in place of what nobody would see. */
export type VisiblePart =
  | string
  | { readonly kind: 'blanks'; readonly count: number }
  | { readonly kind: 'hidden'; readonly character: string; readonly count: number };

/** Scripts whose letters are joined, or kept apart, by characters without a width. */
const joiningScripts =
  'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer Tibetan';
const joining = `[${joiningScripts
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`;

/** Characters without a width that belong to what is before them: emoji, ideographs, and letters of the scripts above. */
const honest = [
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]{1,6}\\u{e007f}',
  '(?<=\\p{Ideographic})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  // Signs of numbers and verses, which are seen.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
].join('|');

const hidden = '(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\u2800]';
const blank = '[\\t\\r\\p{Zs}]';
const blanks = `${blank}{2,}|^${blank}|${blank}$`;

const inLines = new RegExp(`${honest}|(?<hidden>${hidden})\\k<hidden>*`, 'gu');
const inLine = new RegExp(`${honest}|(?<hidden>${hidden})\\k<hidden>*|(?<blanks>${blanks})`, 'gu');
const plain = /^[!-~]+(?: [!-~]+)*$/u;

/**
 * A text from outside in parts, in which everything that a reader would not see, or that would change the order of what he
 * reads, is a mark: controls of the direction of text and other characters without a glyph, and blanks that are at an end or
 * more than one. The blanks of a text of several lines are left alone. What honest names have, such as emoji and letters
 * that are written from right to left, stays as it is.
 */
export function visibleParts(text: string): readonly VisiblePart[] {
  if (plain.test(text)) return [text];
  const shown = breakMarks(text);
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const { 0: found, index, groups } of shown.matchAll(text.includes('\n') ? inLines : inLine)) {
    const mark = markOf(found, groups);
    if (mark === undefined) continue;
    if (index > end) parts.push(shown.slice(end, index));
    parts.push(mark);
    end = index + found.length;
  }
  if (end < shown.length) parts.push(shown.slice(end));
  return parts;
}

function markOf(found: string, groups: Readonly<Record<string, string | undefined>> = {}): VisiblePart | undefined {
  const { hidden: character, blanks: shown } = groups;
  if (shown !== undefined) return { kind: 'blanks', count: shown.length };
  return character === undefined ? undefined : { kind: 'hidden', character, count: found.length / character.length };
}

/** What stands for blanks. */
export function blankMarks(count: number): string {
  return '␣'.repeat(count);
}

/** The code point of a character, such as `U+202E`; with how often it stands there, if it is more than once. */
export function codeOf(character: string, count: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return count === 1 ? `U+${code}` : `U+${code} ×${count}`;
}

/** A text from outside for titles and labels, which have no elements: see `visibleParts`. */
export function visibleText(text: string): string {
  const inWords = (part: VisiblePart): string => {
    if (typeof part === 'string') return part;
    return part.kind === 'blanks' ? blankMarks(part.count) : `[${codeOf(part.character, part.count)}]`;
  };
  return visibleParts(text).map(inWords).join('');
}
