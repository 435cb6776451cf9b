import { parseNamePattern } from '@waybill/contracts/values/name-pattern';

/** From where to where names stand, read backwards and in the order of code points. */
export interface SuffixRange {
  readonly from: string;
  /** The first name behind; undefined when there is none. */
  readonly to: string | undefined;
}

const lastCodePoint = 0x10_ff_ff;

/** Where the names are that a pattern such as `*.csv` means, and no others. Undefined for a pattern of another kind. */
export function suffixRangeOf(pattern: string): SuffixRange | undefined {
  const { prefix, between, suffix = '' } = parseNamePattern(pattern);
  if (prefix !== '' || between.length > 0 || suffix === '') return undefined;
  const backwards = Array.from(suffix).toReversed();
  return { from: backwards.join(''), to: following(backwards) };
}

/** The first text behind all that begin with these characters. */
function following(characters: readonly string[]): string | undefined {
  const last = characters.at(-1)?.codePointAt(0);
  if (last === undefined) return undefined;
  const before = characters.slice(0, -1);
  if (last === lastCodePoint) return following(before);
  // What lies between is no character: half of a pair.
  const next = last === 0xd7_ff ? 0xe0_00 : last + 1;
  return before.join('') + String.fromCodePoint(next);
}
