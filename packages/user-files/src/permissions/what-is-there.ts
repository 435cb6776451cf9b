import { parentOf, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount, type Mounts } from '@waybill/directory/access/mounts';
import type { EntryOrUpload } from '@waybill/filebox/model/entry';
import type { Asker } from './file-user.ts';
import { isHidden } from './user-tree.ts';

/** What is at a path, whether the user may know of it or not. Undefined also for a folder that only leads to a mount. */
export async function findAt(
  { store, door: { showsUploadsOf } }: Asker,
  access: Mounts,
  path: VirtualPath,
): Promise<EntryOrUpload | undefined> {
  const location = access.locate(path);
  if (location === undefined) return undefined;
  return store.find(
    location.vfs.id,
    location.path,
    showsUploadsOf === undefined ? {} : { includeUploadOf: showsUploadsOf },
  );
}

/** Whether a folder is at a path: a stored one, or one of the configuration. */
export async function isFolder(asker: Asker, access: Mounts, path: VirtualPath): Promise<boolean> {
  return holdsMount(access, path) || (await findAt(asker, access, path))?.kind === 'folder';
}

/** The nearest folder above a path that is there, or that may be and is hidden from the user. */
export async function nearestFolder(asker: Asker, access: Mounts, path: VirtualPath): Promise<VirtualPath> {
  let above = parentOf(path);
  while (above !== rootPath && !isHidden(access, above) && !(await isFolder(asker, access, above))) {
    above = parentOf(above);
  }
  return above;
}
