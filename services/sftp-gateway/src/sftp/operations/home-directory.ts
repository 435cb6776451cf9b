import { CodedError } from '@waybill/contracts/errors/coded-error';
import { rootPath } from '@waybill/contracts/values/virtual-path';
import type { Operation, RequestOf } from './operation.ts';
import { pathResponse } from './path-response.ts';

/** home-directory (draft-ietf-secsh-filexfer-extensions-00, section 5): the root. Nobody learns who else has one. */
export const homeDirectory: Operation<RequestOf<'home-directory'>> = async ({ id, userName }, { files }) => {
  if (userName.length > 0 && userName.toString() !== files.userName) {
    throw new CodedError('path_not_found', { detail: 'Only your own home folder can be asked for' });
  }
  return pathResponse(id, rootPath);
};
