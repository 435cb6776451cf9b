import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileUser } from '../permissions/file-user.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import { findAt } from '../permissions/what-is-there.ts';

/**
 * Sets a modification time. An unfinished upload that the user sees keeps none: its commit sets it. `id`: of this entry alone.
 * @throws CodedError `no_write_permission`, `path_not_found`, `file_not_found`
 */
export async function setModifiedAt(
  user: FileUser<'setTimes'>,
  path: VirtualPath,
  { modifiedAt, id }: { readonly modifiedAt: Date; readonly id?: string | undefined },
): Promise<void> {
  const access = await user.access();
  const location = await requirePermission(user, access, path, 'upload');
  try {
    await user.store.setTimes(location.vfs.id, location.path, { modifiedAt, id });
  } catch (error) {
    if (!isCodedError(error, 'file_not_found') || id !== undefined) throw error;
    const found = await findAt(user, access, path);
    if (found?.kind !== 'upload') throw error;
  }
}
