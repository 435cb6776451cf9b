import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileUser } from '../permissions/file-user.ts';
import { requireOperation, requireThroughout } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';

/**
 * Deletes an empty folder: one that shows the user nothing. With `recursive`, also one that is not empty, if the user may delete
 * everything that may be in it.
 * @throws CodedError `no_delete_permission`, `path_not_found`, `not_a_folder`, `folder_not_empty`
 */
export async function removeFolder(
  user: FileUser<'deleteFolder'>,
  path: VirtualPath,
  { recursive = false }: { readonly recursive?: boolean } = {},
): Promise<void> {
  const access = await user.access();
  const location = await requireOperation(user, access, path, 'delete', { onMount: 'no_delete_permission' });
  if (recursive) requireThroughout(access, path, 'delete');
  const options = { origin: user.originAt(location), recursive, showsUploads: user.door.showsUploadsOf !== undefined };
  await restatePathError([{ path, location }], () => user.store.deleteFolder(location.vfs.id, location.path, options));
}
