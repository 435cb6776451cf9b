import { permissionRefusals } from '@waybill/contracts/endpoints/permission-refusals';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import type { UserName } from '@waybill/contracts/values/user-name';
import { parentOf, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { FileStore } from './file-session.ts';

/** Who asks, and where it can be looked what is there. */
export interface Asker {
  readonly userName: UserName;
  readonly store: Pick<FileStore, 'find'>;
}

/**
 * What is refused is named, unless it would tell of something that the user does not see: then it is not there, like all
 * else that is not. `makes`: the path is to be made, so that it is the folder above that is there or not.
 * @throws CodedError the refusal of the permission, `path_not_found`
 */
export async function requirePermission(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  permission: Permission,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<void> {
  if (access.decide(path, permission).allowed) return;
  const judged = makes ? parentOf(path) : path;
  if (await isKnownMissing(asker, access, judged)) {
    throw new CodedError('path_not_found');
  }
  throw new CodedError(permissionRefusals[permission]);
}

/** As `requirePermission`, on a folder and on everything that may be below it. */
export function requireThroughout(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decideThroughout(path, permission).allowed) throw new CodedError(permissionRefusals[permission]);
}

/** Someone who may do nothing with a path does not learn what is there. @throws CodedError `no_list_permission`, `path_not_found` */
export async function requireAnyPermission(asker: Asker, access: Mounts, path: VirtualPath): Promise<void> {
  if (!mayDoAnything(access, path)) await requirePermission(asker, access, path, 'list');
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

function mayDoAnything(access: Mounts, path: VirtualPath): boolean {
  return allPermissions.some((permission) => access.decide(path, permission).allowed);
}

/** Whether a user may see that nothing is there: nothing is, or it is hidden in a folder that he may list. */
async function isKnownMissing({ store, userName }: Asker, access: Mounts, path: VirtualPath): Promise<boolean> {
  let seen = path;
  while (seen !== rootPath && !mayDoAnything(access, seen)) seen = parentOf(seen);
  if (!access.decide(seen, 'list').allowed) return false;
  if (seen !== path) return true;
  const location = access.locate(path);
  if (location === undefined) return false;
  return (await store.find(location.vfs.id, location.path, { includeUploadOf: userName })) === undefined;
}
