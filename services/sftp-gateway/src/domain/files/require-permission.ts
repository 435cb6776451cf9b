import { CodedError } from '@waybill/contracts/coded-error';
import type { ErrorCode } from '@waybill/contracts/error-codes';
import { allPermissions, type Permission } from '@waybill/contracts/permission';
import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { Mounts } from '@waybill/directory/mounts';

const refusals = {
  list: 'no_list_permission',
  download: 'no_read_permission',
  upload: 'no_write_permission',
  delete: 'no_delete_permission',
  rename: 'no_rename_permission',
  createFolder: 'no_create_folder_permission',
} as const satisfies Record<Permission, ErrorCode>;

/** @throws CodedError the refusal of that permission */
export function requirePermission(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decide(path, permission).allowed) throw new CodedError(refusals[permission]);
}

/** As `requirePermission`, on a folder and on everything that may be below it. */
export function requireThroughout(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decideThroughout(path, permission).allowed) throw new CodedError(refusals[permission]);
}

/** Someone who may do nothing with a path does not learn what is there. @throws CodedError `no_list_permission` */
export function requireAnyPermission(access: Mounts, path: VirtualPath): void {
  const isRefused = allPermissions.every((permission) => !access.decide(path, permission).allowed);
  if (isRefused) throw new CodedError('no_list_permission');
}

const asking = ['list', 'download', 'delete', 'rename'] as const satisfies readonly Permission[];

/** Whether a user may learn that a file is there: by the permission to list, or by one that cannot be used unseeing. */
export function mayAskFor(access: Mounts, path: VirtualPath): boolean {
  return asking.some((permission) => access.decide(path, permission).allowed);
}

/** To take a name only where it is free asks whether it is. @throws CodedError `no_list_permission` */
export function requireSight(access: Mounts, path: VirtualPath): void {
  if (mayAskFor(access, path)) return;
  throw new CodedError('no_list_permission', {
    detail: 'No list permission, so it is not told whether a name is free',
  });
}
