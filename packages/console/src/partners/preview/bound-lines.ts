import { breakMarks } from '../../page-kit/outside-text/break-marks.ts';

const mostCharacters = 1_000;

const longLines = new RegExp(`[^\\n]{${mostCharacters}}(?=[^\\n])`, 'gu');

/** Letters that a browser joins or divides into words as a whole line, in a time that grows with its square. */
const costly = /[^\0-\u{2ff}]/u;

/** A text that a browser can draw in bounded time: see `breakMarks`; long lines of other than Latin letters are broken. */
export function boundLines(text: string): string {
  return breakMarks(text).replaceAll(longLines, (line) => (costly.test(line) ? `${line}\n` : line));
}
