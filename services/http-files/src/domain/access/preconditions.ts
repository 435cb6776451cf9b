import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Entry } from '@waybill/filebox/model/entry';

/** Entity tags: any at all, or these; those of files are their SHA-256, and strong. */
export type EntityTags = 'anything' | readonly { readonly isWeak: boolean; readonly tag: string }[];

/** What has to hold of what is there for a request to be done (RFC 9110 section 13.1); all of it is optional. */
export interface Preconditions {
  readonly match?: EntityTags | undefined;
  readonly noneMatch?: EntityTags | undefined;
  readonly unmodifiedSince?: Date | undefined;
  /** Asked by reads alone. */
  readonly modifiedSince?: Date | undefined;
}

/** Whether they hold; `unchanged`: the client of a read has what is there already. */
export type Verdict = 'met' | 'failed' | 'unchanged';

/** Looks at what is there in the order of RFC 9110 section 13.2.2. A folder has no entity tag. */
export function judge(conditions: Preconditions, entry: Entry): Verdict {
  const { match, noneMatch, unmodifiedSince, modifiedSince } = conditions;
  const tag = entry.kind === 'file' ? entry.sha256 : undefined;
  // As exact as the header that tells it.
  const modifiedAt = Math.floor(entry.modifiedAt.getTime() / 1000) * 1000;
  if (match !== undefined) {
    if (match !== 'anything' && !match.some((known) => !known.isWeak && known.tag === tag)) return 'failed';
  } else if (unmodifiedSince !== undefined && modifiedAt > unmodifiedSince.getTime()) return 'failed';
  if (noneMatch !== undefined) {
    return noneMatch === 'anything' || noneMatch.some((known) => known.tag === tag) ? 'unchanged' : 'met';
  }
  return modifiedSince !== undefined && modifiedAt <= modifiedSince.getTime() ? 'unchanged' : 'met';
}

/** Holds a change to its conditions. @throws CodedError `precondition_failed` */
export function assertPreconditions(conditions: Preconditions, entry: Entry): void {
  if (judge(conditions, entry) !== 'met') throw new CodedError('precondition_failed');
}

/** Whether a request has any condition: then it asks which version is there. */
export function isConditional(conditions: Preconditions): boolean {
  return Object.values(conditions).some((condition) => condition !== undefined);
}
