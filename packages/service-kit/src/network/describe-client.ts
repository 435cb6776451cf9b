/** Longer descriptions are cut: the client chooses them. */
const longest = 200;

/** Control characters, line and paragraph separators, and characters that change the direction of a line. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * The software of a client as it describes itself (SSH banner, User-Agent), for audit records: at most 200 characters.
 * Undefined if it says nothing.
 */
export function describeClient(text: string | undefined): string | undefined {
  const described = text === undefined ? '' : printableText(text, longest).trim();
  return described === '' ? undefined : described;
}

/** A text that a client chose, cut to so many characters, with `?` for each unprintable one. */
export function printableText(text: string, longestText: number): string {
  return text.slice(0, longestText).toWellFormed().replaceAll(unprintable, '?');
}
