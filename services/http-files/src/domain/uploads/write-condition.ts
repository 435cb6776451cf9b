import { CodedError } from '@waybill/contracts/errors/coded-error';
import { requireVersionSight } from '@waybill/user-files/permissions/disclosure';
import type { Caller } from '../access/caller.ts';
import type { FilePlace } from '../access/file-access.ts';
import { judge } from '../access/preconditions.ts';

/** What has to be at a path for a write to be made: nothing, or a file with one of these contents (SHA-256), or any. */
export type WriteCondition =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly digests: readonly string[] | 'anything' };

/** A condition as a request may have it: also that a file that is there was not modified since. */
export type AskedCondition = WriteCondition | { readonly kind: 'unmodified'; readonly since: Date };

/**
 * Refuses early what would be refused at the commit, and answers what the commit is to be held to. A condition asks what
 * is there, which not every user may ask.
 * @throws CodedError `no_list_permission`, `precondition_failed`
 */
export function assertCondition(
  { mounts }: Caller,
  { target, file }: FilePlace,
  asked: AskedCondition | undefined,
): WriteCondition | undefined {
  if (asked === undefined) return undefined;
  requireVersionSight(mounts, target.path);
  const condition = asked.kind === 'unmodified' ? heldTo(asked.since, file) : asked;
  if (condition === undefined || !isMet(condition, file)) throw new CodedError('precondition_failed');
  return condition;
}

/** What was not modified since a date is to be there still; nothing when it was. */
function heldTo(since: Date, file: FilePlace['file']): WriteCondition | undefined {
  if (file === undefined) return { kind: 'absent' };
  return judge({ unmodifiedSince: since }, file) === 'met' ? { kind: 'present', digests: [file.sha256] } : undefined;
}

/** How a write that has a condition is asked of the filebox. */
export function replacementOf(condition: WriteCondition | undefined) {
  if (condition?.kind !== 'present') return { overwrite: condition === undefined };
  return { overwrite: true, inPlaceOf: condition.digests };
}

function isMet(condition: WriteCondition, file: FilePlace['file']): boolean {
  if (condition.kind === 'absent') return file === undefined;
  return file !== undefined && (condition.digests === 'anything' || condition.digests.includes(file.sha256));
}
