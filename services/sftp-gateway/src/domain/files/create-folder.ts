import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileSession } from './session/file-session.ts';
import { requirePermission } from './session/require-permission.ts';
import { refuseMountFolder, requireLocation } from './session/user-tree.ts';

/**
 * Makes a folder where the user sees nothing, not even an uncommitted upload of the own.
 * @throws CodedError `no_create_folder_permission`, `path_not_found`, `already_exists`
 */
export async function createFolder(session: FileSession, path: VirtualPath): Promise<void> {
  const access = await session.access();
  refuseMountFolder(access, path, 'already_exists');
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'createFolder', { makes: true });
  const origin = session.originAt(location);
  await session.store.createFolder(location.vfs.id, location.path, { origin, besideUploads: false });
}
