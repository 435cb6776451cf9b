import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileSession } from './session/file-session.ts';
import { requirePermission } from './session/require-permission.ts';
import { requireLocation } from './session/user-tree.ts';

/**
 * Keeps a modification time. An uncommitted upload of the user takes none: it has that of its commit. `id`: of this entry alone.
 * @throws CodedError `no_write_permission`, `path_not_found`, `file_not_found`
 */
export async function setModifiedAt(
  session: FileSession,
  path: VirtualPath,
  { modifiedAt, id }: { readonly modifiedAt: Date; readonly id?: string | undefined },
): Promise<void> {
  const access = await session.access();
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'upload');
  const { store, userName } = session;
  try {
    await store.setTimes(location.vfs.id, location.path, { modifiedAt, id });
  } catch (error) {
    if (!isCodedError(error, 'file_not_found') || id !== undefined) throw error;
    const found = await store.find(location.vfs.id, location.path, { includeUploadOf: userName });
    if (found?.kind !== 'upload') throw error;
  }
}
