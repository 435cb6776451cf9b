import { CodedError } from '@waybill/contracts/coded-error';
import { allPermissions, type Permission } from '@waybill/contracts/permission';
import { permissionRefusals } from '@waybill/contracts/permission-refusals';
import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { Mounts } from '@waybill/directory/mounts';

/** @throws CodedError the refusal of that permission */
export function requirePermission(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decide(path, permission).allowed) throw new CodedError(permissionRefusals[permission]);
}

/** As `requirePermission`, on a folder and on everything that may be below it. */
export function requireThroughout(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decideThroughout(path, permission).allowed) throw new CodedError(permissionRefusals[permission]);
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
