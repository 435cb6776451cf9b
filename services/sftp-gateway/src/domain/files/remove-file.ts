import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { relocateCommitted } from './find-committed.ts';
import type { FileSession } from './session/file-session.ts';
import { requirePermission } from './session/require-permission.ts';
import { namedPlace, requireLocation } from './session/user-tree.ts';

/**
 * Deletes a file, whether it was committed or is still open in this session: closing it then commits nothing.
 * @throws CodedError `no_delete_permission`, `path_not_found`, `file_not_found`, `not_a_file`, `upload_in_progress` (open in another
 * session of the user, and never committed)
 */
export async function removeFile(session: FileSession, path: VirtualPath): Promise<void> {
  const { store, openFiles } = session;
  const access = await session.access();
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'delete');
  const place = namedPlace(path, location);
  await relocateCommitted(session, location.vfs.id);
  const { removed } = await store.deleteFile(location.vfs.id, location.path, {
    origin: session.originAt(location),
    open: openFiles.uploads,
  });
  openFiles.removed(place, removed);
}
