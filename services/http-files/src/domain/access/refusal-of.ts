import { permissionRefusals } from '@waybill/contracts/endpoints/permission-refusals';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';

/** What somebody without the permission is told. */
export function refusalOf(permission: Permission): CodedError {
  return new CodedError(permissionRefusals[permission]);
}
