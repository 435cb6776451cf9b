import { CodedError, type CodedErrorOptions } from '@waybill/contracts/errors/coded-error';

/** The failure of an upload that was taken out of the index meanwhile: by its user, an operator, or the process that resumed it. */
export function discardedUploadError(more: Pick<CodedErrorOptions, 'names' | 'cause'> = {}): CodedError {
  return new CodedError('upload_incomplete', { detail: 'The upload was discarded meanwhile', ...more });
}
