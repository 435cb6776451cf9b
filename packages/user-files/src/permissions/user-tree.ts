import { allPermissions } from '@waybill/contracts/values/permission';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount, type Location, type Mounts } from '@waybill/directory/access/mounts';
import { missingFolder } from './refusals.ts';

/** The VFS and path behind a path of the user's tree. @throws CodedError `path_not_found` */
export function requireLocation(access: Mounts, path: VirtualPath): Location {
  const location = access.locate(path);
  if (location === undefined) throw missingFolder(path);
  return location;
}

/** A folder that leads to a mount of the user is no secret, whatever its rules say. */
export function mayDoAnything(access: Mounts, path: VirtualPath): boolean {
  return holdsMount(access, path) || allPermissions.some((permission) => access.decide(path, permission).allowed);
}

/** True where rules leave the user no permission: then no answer depends on whether something is there. */
export function isHidden(access: Mounts, path: VirtualPath): boolean {
  return access.locate(path) !== undefined && !mayDoAnything(access, path);
}
