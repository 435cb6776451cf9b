import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileUser } from '../permissions/file-user.ts';
import { requireOperation } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';

/**
 * Makes a folder where the user sees nothing.
 * @throws CodedError `no_create_folder_permission`, `path_not_found`, `already_exists`, `folder_limit_reached`,
 * `depth_limit_reached`
 */
export async function makeFolder(user: FileUser<'createFolder'>, path: VirtualPath): Promise<void> {
  const access = await user.access();
  const options = { onMount: 'already_exists', makes: true } as const;
  const location = await requireOperation(user, access, path, 'createFolder', options);
  const made = { origin: user.originAt(location), besideUploads: user.door.showsUploadsOf === undefined };
  await restatePathError([{ path, location }], () => user.store.createFolder(location.vfs.id, location.path, made));
}
