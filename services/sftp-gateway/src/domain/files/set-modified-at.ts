import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { FileSession } from './file-session.ts';
import { requirePermission } from './require-permission.ts';
import { requireLocation } from './user-tree.ts';

/** Keeps a modification time. @throws CodedError `no_write_permission`, `path_not_found`, `file_not_found` */
export async function setModifiedAt(session: FileSession, path: VirtualPath, modifiedAt: Date): Promise<void> {
  const access = await session.access();
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'upload');
  await session.store.setTimes(location.vfs.id, location.path, { modifiedAt });
}
