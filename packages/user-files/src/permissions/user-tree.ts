import { CodedError } from '@waybill/contracts/errors/coded-error';
import { allPermissions } from '@waybill/contracts/values/permission';
import { isWithin, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import { missingFolder } from './refusals.ts';

/** The VFS and path behind a path of the user's tree. @throws CodedError `path_not_found` */
export function requireLocation(access: Mounts, path: VirtualPath): Location {
  const location = access.locate(path);
  if (location === undefined) throw missingFolder(path);
  return location;
}

/** True when a VFS is mounted at the path or below it: such a folder belongs to the configuration, and every user sees it. */
export function holdsMount(access: Mounts, path: VirtualPath): boolean {
  return access.mounts.some(({ mountPath }) => isWithin(mountPath, path));
}

/** A folder that leads to a mount of the user is no secret, whatever its rules say. */
export function mayDoAnything(access: Mounts, path: VirtualPath): boolean {
  return holdsMount(access, path) || allPermissions.some((permission) => access.decide(path, permission).allowed);
}

/** True where rules leave the user no permission: then no answer depends on whether something is there. */
export function isHidden(access: Mounts, path: VirtualPath): boolean {
  return access.locate(path) !== undefined && !mayDoAnything(access, path);
}

/** Folders that belong to the configuration stay as they are. @throws CodedError with the code given */
export function refuseMountFolder(
  access: Mounts,
  path: VirtualPath,
  code: 'no_delete_permission' | 'no_rename_permission' | 'already_exists' | 'not_a_file',
): void {
  if (holdsMount(access, path)) throw new CodedError(code, { detail: `'${path}' belongs to the configuration` });
}
