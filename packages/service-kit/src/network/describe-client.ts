/** Longer descriptions are cut: the client chooses them. */
const longest = 200;

/** Control characters, line and paragraph separators, and characters that change the direction of a line. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * The software of a client as it describes itself (SSH banner, User-Agent), for audit records: at most 200 characters, each
 * unprintable one replaced by `?`. Undefined if it says nothing.
 */
export function describeClient(text: string | undefined): string | undefined {
  const described = text?.slice(0, longest).toWellFormed().replaceAll(unprintable, '?').trim();
  return described === '' ? undefined : described;
}
