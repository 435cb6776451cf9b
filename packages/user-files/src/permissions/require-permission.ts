import type { Permission } from '@waybill/contracts/values/permission';
import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import { isKnownMissing } from './disclosure.ts';
import type { Asker } from './file-user.ts';
import { missingFolder, refusalOf } from './refusals.ts';
import { mayDoAnything } from './user-tree.ts';

/**
 * Finds where a path is, and that the user may do this there. A refusal names the permission, unless the user may see that
 * the path, or with `makes` the folder that is to hold it, is missing.
 * @throws CodedError the refusal of the permission, `path_not_found`
 */
export async function requirePermission(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  permission: Permission,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<Location> {
  const location = access.locate(path);
  if (location !== undefined && access.decide(path, permission).allowed) return location;
  const ofFolder = makes || asker.door.checksInOrder;
  const judged = ofFolder ? parentOf(path) : path;
  if (await isKnownMissing(asker, access, judged, ofFolder)) {
    throw missingFolder(judged);
  }
  throw refusalOf(permission);
}

/** As `requirePermission`, on a folder and on everything that may be below it. */
export function requireThroughout(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decideThroughout(path, permission).allowed) throw refusalOf(permission);
}

/** A user who may do nothing with a path does not learn what is there. @throws CodedError `no_list_permission`, `path_not_found` */
export async function requireAnyPermission(asker: Asker, access: Mounts, path: VirtualPath): Promise<void> {
  if (!mayDoAnything(access, path)) await requirePermission(asker, access, path, 'list');
}
