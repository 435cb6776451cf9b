import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { FileSession } from './file-session.ts';
import { requirePermission } from './require-permission.ts';
import { requireLocation } from './user-tree.ts';

/** Deletes a file. @throws CodedError `no_delete_permission`, `path_not_found`, `file_not_found`, `not_a_file` */
export async function removeFile(session: FileSession, path: VirtualPath): Promise<void> {
  const access = await session.access();
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'delete');
  await session.store.deleteFile(location.vfs.id, location.path, { origin: session.originAt(location) });
}
