/** No writing puts more marks on one letter. */
const mostMarks = 16;

const runs = new RegExp(
  // Thai and Lao AM are letters that are drawn as marks.
  `((?:[\\p{M}\\p{Emoji_Modifier}\\u0e33\\u0eb3]){${mostMarks}})(?=[\\p{M}\\p{Emoji_Modifier}\\u0e33\\u0eb3])`,
  'gu',
);

/**
 * A text in which no letter has more marks than any writing needs: a dotted circle, which stands for a letter, takes the
 * others. Thousands of marks on one letter cover the lines around it, and browsers draw them for minutes.
 */
export function breakMarks(text: string): string {
  return text.replaceAll(runs, '$1\u25cc');
}
