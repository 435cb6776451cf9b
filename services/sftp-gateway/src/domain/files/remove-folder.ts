import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileSession } from './session/file-session.ts';
import { requirePermission } from './session/require-permission.ts';
import { refuseMountFolder, requireLocation } from './session/user-tree.ts';

/**
 * Deletes an empty folder: one that shows the user nothing, not even an uncommitted upload of the own.
 * @throws CodedError `no_delete_permission`, `path_not_found`, `not_a_folder`, `folder_not_empty`
 */
export async function removeFolder(session: FileSession, path: VirtualPath): Promise<void> {
  const access = await session.access();
  refuseMountFolder(access, path, 'no_delete_permission');
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'delete');
  const origin = session.originAt(location);
  await session.store.deleteFolder(location.vfs.id, location.path, { origin, showsUploads: true });
}
