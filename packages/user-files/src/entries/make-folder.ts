import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileUser } from '../permissions/file-user.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';
import { refuseMountFolder } from '../permissions/user-tree.ts';

/**
 * Makes a folder where the user sees nothing.
 * @throws CodedError `no_create_folder_permission`, `path_not_found`, `already_exists`, `folder_limit_reached`,
 * `depth_limit_reached`
 */
export async function makeFolder(user: FileUser<'createFolder'>, path: VirtualPath): Promise<void> {
  const access = await user.access();
  refuseMountFolder(access, path, 'already_exists');
  const location = await requirePermission(user, access, path, 'createFolder', { makes: true });
  const options = { origin: user.originAt(location), besideUploads: user.door.showsUploadsOf === undefined };
  await restatePathError([{ path, location }], () => user.store.createFolder(location.vfs.id, location.path, options));
}
