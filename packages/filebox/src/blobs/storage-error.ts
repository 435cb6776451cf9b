import { CodedError } from '@waybill/contracts/errors/coded-error';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const missingCodes = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR']);

/** What an error of the file system means to a caller; one that is not expected stays as it is. */
export function storageError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (fullCodes.has(code)) return new CodedError('storage_full', { cause: error });
  if (missingCodes.has(code)) return new CodedError('content_missing', { cause: error });
  return error;
}
