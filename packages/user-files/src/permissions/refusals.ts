import { CodedError } from '@waybill/contracts/errors/coded-error';
import { permissionRefusals, type Permission } from '@waybill/contracts/values/permission';
import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** What a user without the permission is told. */
export function refusalOf(permission: Permission): CodedError {
  return new CodedError(permissionRefusals[permission]);
}

/** What a user is told of a file that is not there. */
export function missingFile(path: VirtualPath): CodedError {
  return new CodedError('file_not_found', { names: { file: nameOf(path) } });
}

/** What a user is told of a folder that is not there. */
export function missingFolder(path: VirtualPath): CodedError {
  return new CodedError('path_not_found', { names: { path } });
}
