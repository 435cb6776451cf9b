import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parentOf, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount, type Mounts } from '@waybill/directory/access/mounts';
import type { Asker } from './file-user.ts';
import { missingFolder } from './refusals.ts';
import { isHidden, mayDoAnything } from './user-tree.ts';
import { findAt, isFolder, nearestFolder } from './what-is-there.ts';

/** Whether a user may learn that a file of somebody else is there. */
export function mayAskFor({ door }: Pick<Asker, 'door'>, access: Mounts, path: VirtualPath): boolean {
  return door.shownBy.some((permission) => access.decide(path, permission).allowed);
}

/** Whether a user may learn which version of a file is there: listings and downloads tell. */
function mayAskForVersion(access: Mounts, path: VirtualPath): boolean {
  return (['list', 'download'] as const).some((permission) => access.decide(path, permission).allowed);
}

/** A condition asks which version of a file is there. @throws CodedError `no_list_permission` */
export function requireVersionSight(access: Mounts, path: VirtualPath): void {
  if (!mayAskForVersion(access, path)) throw new CodedError('no_list_permission');
}

/**
 * To take a name only where it is free asks whether it is. The folder is looked at first, since making something there tells
 * as much of it.
 * @throws CodedError `no_list_permission`, `path_not_found` (the folder)
 */
export async function requireSight(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  { isFolderThere = false }: { readonly isFolderThere?: boolean } = {},
): Promise<void> {
  if (mayAskFor(asker, access, path)) return;
  const folder = parentOf(path);
  if (!isFolderThere && !(await isFolder(asker, access, folder))) throw missingFolder(folder);
  throw new CodedError('no_list_permission', {
    detail: 'No list permission, so it is not told whether a name is free',
  });
}

/** Whether a user may see that something is missing: it is, or it is hidden in a folder that the user may list. */
export async function isKnownMissing(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  ofFolder: boolean,
): Promise<boolean> {
  if (asker.door.checksInOrder && isHidden(access, path)) return false;
  if (!asker.door.checksInOrder && !mayDoAnything(access, path)) {
    let seen = parentOf(path);
    while (seen !== rootPath && !mayDoAnything(access, seen)) seen = parentOf(seen);
    return access.decide(seen, 'list').allowed;
  }
  const isThere = ofFolder
    ? await isFolder(asker, access, path)
    : holdsMount(access, path) || (await findAt(asker, access, path)) !== undefined;
  return !isThere && access.decide(await nearestFolder(asker, access, path), 'list').allowed;
}
