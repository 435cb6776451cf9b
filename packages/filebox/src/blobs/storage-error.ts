import { CodedError } from '@waybill/contracts/errors/coded-error';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const missingCodes = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR']);

/** Translates an error of the file system; an unexpected one is unchanged. */
export function storageError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (fullCodes.has(code)) return new CodedError('storage_full', { cause: error });
  if (missingCodes.has(code)) return new CodedError('content_missing', { cause: error });
  return error;
}
