import { parseNamePattern } from '@waybill/contracts/values/name-pattern';

/** A range of reversed names in the order of code points. */
export interface SuffixRange {
  readonly from: string;
  /** The first name after the range; undefined if there is none. */
  readonly to: string | undefined;
}

const lastCodePoint = 0x10_ff_ff;

/** The range of exactly the names that a pattern such as `*.csv` matches. Undefined for a pattern of another kind. */
export function suffixRangeOf(pattern: string): SuffixRange | undefined {
  const { prefix, between, suffix = '' } = parseNamePattern(pattern);
  if (prefix !== '' || between.length > 0 || suffix === '') return undefined;
  const backwards = Array.from(suffix).toReversed();
  return { from: backwards.join(''), to: following(backwards) };
}

/** The first text after all those that begin with these characters. */
function following(characters: readonly string[]): string | undefined {
  const last = characters.at(-1)?.codePointAt(0);
  if (last === undefined) return undefined;
  const before = characters.slice(0, -1);
  if (last === lastCodePoint) return following(before);
  // The values between are surrogates, not characters.
  const next = last === 0xd7_ff ? 0xe0_00 : last + 1;
  return before.join('') + String.fromCodePoint(next);
}
