import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { WritePlace } from '@waybill/user-files/content/permit-writing';
import { requireConditionSight, type WriteCondition } from '@waybill/user-files/content/write-condition';
import type { Asker } from '@waybill/user-files/permissions/file-user';
import { judge } from '../access/preconditions.ts';

/** A condition as a request may have it: also that a file that is there was not modified since. */
export type AskedCondition = WriteCondition | { readonly kind: 'unmodified'; readonly since: Date };

/**
 * Refuses early what would be refused at the commit, and answers what the commit is to be held to. A condition asks what
 * is there, which not every user may ask.
 * @throws CodedError `no_list_permission`, `precondition_failed`
 */
export async function assertCondition(
  asker: Asker,
  place: WritePlace,
  asked: AskedCondition | undefined,
): Promise<WriteCondition | undefined> {
  if (asked === undefined) return undefined;
  await requireConditionSight(asker, place, asked);
  const { file } = place;
  const condition = asked.kind === 'unmodified' ? heldTo(asked.since, file) : asked;
  if (condition === undefined || !isMet(condition, file)) throw new CodedError('precondition_failed');
  return condition;
}

/** What was not modified since a date is to be there still; nothing when it was. */
function heldTo(since: Date, file: WritePlace['file']): WriteCondition | undefined {
  if (file === undefined) return { kind: 'absent' };
  return judge({ unmodifiedSince: since }, file) === 'met' ? { kind: 'present', digests: [file.sha256] } : undefined;
}

function isMet(condition: WriteCondition, file: WritePlace['file']): boolean {
  if (condition.kind === 'absent') return file === undefined;
  return file !== undefined && (condition.digests === 'anything' || condition.digests.includes(file.sha256));
}
