import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount, type Location } from '@waybill/directory/access/mounts';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { FileUser } from './file-user.ts';
import { missingFile, missingFolder, refusalOf } from './refusals.ts';
import { requireOperation } from './require-permission.ts';
import { isHidden } from './user-tree.ts';
import { findAt, isFolder, nearestFolder } from './what-is-there.ts';

/** Where a file is or will be, with the permission to do there what was asked for. */
export interface FilePlace {
  readonly location: Location;
  /** The file that is there now. */
  readonly file: FileEntry | undefined;
}

/** Where a folder is, with the permission to list it. */
export interface FolderPlace {
  readonly path: VirtualPath;
  /** Absent for a folder that is there only because something is mounted below it. */
  readonly location: Location | undefined;
}

type Looker = Pick<FileUser, 'door' | 'store' | 'access'>;

/**
 * Looks where a file is or will be. The checks are in this order: the folder is there, no folder has the name of the file, the
 * operation is permitted. A folder of the name is told to users who have the permission or see it in the listing of the folder
 * that holds it, and to every user when it leads to a mount.
 * @throws CodedError `path_not_found`, `not_a_file`, `no_*_permission`
 */
export async function openFilePlace(user: Looker, path: VirtualPath, permission: Permission): Promise<FilePlace> {
  const access = await user.access();
  const mayDo = access.decide(path, permission).allowed;
  const found = await findAt(user, access, path);
  const leads = holdsMount(access, path);
  const isSeen = leads || mayDo || (!isHidden(access, path) && access.decide(parentOf(path), 'list').allowed);
  if (isSeen && (leads || found?.kind === 'folder')) throw new CodedError('not_a_file');
  const location = await requireOperation(user, access, path, permission, { onMount: 'not_a_file', makes: true });
  if (found === undefined && !(await isFolder(user, access, parentOf(path)))) throw missingFolder(parentOf(path));
  return { location, file: found?.kind === 'file' ? found : undefined };
}

/** As `openFilePlace`, for a file that has to be there. @throws CodedError `file_not_found` too */
export async function openFile(
  user: Looker,
  path: VirtualPath,
  permission: Permission,
): Promise<FilePlace & { file: FileEntry }> {
  const { file, location } = await openFilePlace(user, path, permission);
  if (file === undefined) throw missingFile(path);
  return { location, file };
}

/** Looks where a folder is that is to be listed, unless it is hidden. @throws CodedError `path_not_found`, `no_list_permission` */
export async function openFolder(user: Looker, path: VirtualPath): Promise<FolderPlace> {
  const access = await user.access();
  if (isHidden(access, path)) throw refusalOf('list');
  const location = access.locate(path);
  const isStored = (await findAt(user, access, path))?.kind === 'folder';
  if (!isStored) await requireFolder(user, path, 'list');
  if (!access.decide(path, 'list').allowed) throw refusalOf('list');
  return { path, location: isStored ? location : undefined };
}

/**
 * Requires that a folder is there. That it is missing is told to users who have the permission on its path, or who may list the
 * nearest folder above that is there.
 * @throws CodedError `path_not_found`, `no_*_permission`
 */
export async function requireFolder(user: Looker, path: VirtualPath, permission: Permission): Promise<void> {
  const access = await user.access();
  if (await isFolder(user, access, path)) return;
  const mayLearn =
    access.decide(path, permission).allowed || access.decide(await nearestFolder(user, access, path), 'list').allowed;
  throw mayLearn ? missingFolder(path) : refusalOf(permission);
}
