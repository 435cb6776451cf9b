import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount, type Location, type Mounts } from '@waybill/directory/access/mounts';
import { openFolder } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { missingFolder } from '../permissions/refusals.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';

/** A folder as the user sees it: what its file system holds, and what is mounted in it. */
export interface FolderView {
  readonly path: VirtualPath;
  /** Absent for a folder that is there only because something is mounted below it. */
  readonly location: Location | undefined;
  /** Names that are there because something is mounted there or below, sorted. */
  readonly mounted: readonly string[];
  /** Names of the file system that are not shown: a mount hides them, or the user may do nothing with them. */
  readonly hidden: readonly string[];
}

type Reader = Pick<FileUser, 'door' | 'store' | 'access'>;

/**
 * Reads of a folder what the user sees of it, for listings of any kind. `read` finds out whether the folder is there, without a
 * look before; it is called a second time where only what is mounted below the folder makes it one.
 * @throws CodedError `path_not_found`, `not_a_folder`, `no_list_permission`, and what `read` throws
 */
export async function readFolder<T>(
  user: Reader,
  path: VirtualPath,
  read: (view: FolderView) => Promise<T>,
): Promise<T> {
  const access = await user.access();
  const view = viewOf(access, path);
  if (!user.door.checksInOrder) await permitReadingFolder(user, access, path);
  else if (!access.decide(path, 'list').allowed) await openFolder(user, path);
  try {
    return await readAt(view, read);
  } catch (error) {
    if (!isCodedError(error, 'path_not_found', 'not_a_folder')) throw error;
    if (user.door.checksInOrder) return readAt({ ...view, location: (await openFolder(user, path)).location }, read);
    if (view.location === undefined || !holdsMount(access, path)) throw error;
    return readAt({ ...view, location: undefined }, read);
  }
}

async function permitReadingFolder(user: Reader, access: Mounts, path: VirtualPath): Promise<void> {
  if (access.locate(path) !== undefined) await requirePermission(user, access, path, 'list');
  else if (!holdsMount(access, path)) throw missingFolder(path);
}

function viewOf(access: Mounts, path: VirtualPath): FolderView {
  const mounted = access.mountedNames(path);
  return { path, location: access.locate(path), mounted, hidden: [...mounted, ...access.hiddenNames(path)] };
}

function readAt<T>(view: FolderView, read: (view: FolderView) => Promise<T>): Promise<T> {
  const { path, location } = view;
  return location === undefined ? read(view) : restatePathError([{ path, location }], () => read(view));
}
