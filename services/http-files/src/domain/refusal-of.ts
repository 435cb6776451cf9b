import { CodedError } from '@waybill/contracts/coded-error';
import type { Permission } from '@waybill/contracts/permission';
import { permissionRefusals } from '@waybill/contracts/permission-refusals';

/** What somebody without the permission is told. */
export function refusalOf(permission: Permission): CodedError {
  return new CodedError(permissionRefusals[permission]);
}
