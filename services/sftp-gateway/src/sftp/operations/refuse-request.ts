import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Operation, RequestOf } from './operation.ts';

/** Links, extensions that were not announced, and packet types of other protocol versions. */
export const refuseRequest: Operation<RequestOf<'symlink' | 'readlink' | 'extended' | 'unknown'>> = async ({
  type,
}) => {
  const isLink = type === 'symlink' || type === 'readlink';
  throw new CodedError('operation_unsupported', isLink ? { detail: 'There are no symbolic links here' } : {});
};
