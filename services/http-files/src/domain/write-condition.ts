import { CodedError } from '@waybill/contracts/coded-error';
import type { Caller } from './caller.ts';
import type { FilePlace } from './file-access.ts';
import { refusalOf } from './refusal-of.ts';

/** What has to be at a path for a write to be made: nothing, or a file with one of these contents (SHA-256), or any. */
export type WriteCondition =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly digests: readonly string[] | 'anything' };

/**
 * Refuses early what would be refused at the commit. A condition asks what is there: only who may list may ask.
 * @throws CodedError `no_list_permission`, `precondition_failed`
 */
export function assertCondition({ mounts }: Caller, place: FilePlace, condition: WriteCondition | undefined): void {
  if (condition === undefined) return;
  const { target, file } = place;
  if (!mounts.decide(target.path, 'list').allowed) throw refusalOf('list');
  if (!isMet(condition, file)) throw new CodedError('precondition_failed');
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
