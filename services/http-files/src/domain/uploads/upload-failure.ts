import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { WriteCondition } from '@waybill/user-files/content/write-condition';

/**
 * What a failed upload is to its client: something that was there, although nothing was to be, is a condition not met; a
 * folder that vanished meanwhile is called as the client calls it.
 */
export function uploadFailure(
  error: unknown,
  { condition, folder }: { condition: WriteCondition | undefined; folder: VirtualPath },
): unknown {
  if (condition?.kind === 'absent' && isCodedError(error, 'already_exists')) {
    return new CodedError('precondition_failed', { cause: error });
  }
  if (isCodedError(error, 'path_not_found')) {
    return new CodedError('path_not_found', { names: { path: folder }, cause: error });
  }
  return error;
}
