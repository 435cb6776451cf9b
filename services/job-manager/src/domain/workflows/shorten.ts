/** Characters of a line in the log of a step, and of one of its inputs. */
export const charactersAtMost = 1_000;

/**
 * The text as one line that PostgreSQL can store: without control characters and lone surrogates, and not longer than
 * `charactersAtMost` characters.
 */
export function shorten(text: string): string {
  // Not more is looked at than can be shown: the text may be a file.
  const line = text.slice(0, charactersAtMost + 1).replaceAll(/\p{Cc}+/gu, ' ');
  const cut = text.length > charactersAtMost ? `${line.slice(0, charactersAtMost - 1)}…` : line;
  return cut.toWellFormed();
}
