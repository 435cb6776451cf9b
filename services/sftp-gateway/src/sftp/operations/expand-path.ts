import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './path-of-request.ts';
import { pathResponse } from './path-response.ts';

const tilde = /^~([^/]*)/u;

/** expand-path@openssh.com (OpenSSH PROTOCOL, section 4.9): REALPATH that knows `~` and `~user`, for the user alone. */
export const expandPath: Operation<RequestOf<'expand-path'>> = async ({ id, path }, { files }) => {
  const [prefix, userName] = tilde.exec(path.toString('latin1')) ?? [];
  if (prefix === undefined) return pathResponse(id, pathOfRequest(path));
  if (userName && Buffer.from(userName, 'latin1').toString() !== files.userName) {
    throw new CodedError('path_not_found', { detail: 'Only your own home folder can be asked for' });
  }
  return pathResponse(id, pathOfRequest(Buffer.concat([Buffer.from('/'), path.subarray(prefix.length)])));
};
