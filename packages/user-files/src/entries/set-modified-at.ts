import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileUser } from '../permissions/file-user.ts';
import { requirePermission } from '../permissions/require-permission.ts';

/**
 * Sets the modification time of the entry that the user has found at a path, and of no other that has come there since.
 * Without an `id` the user has found an unfinished upload, which keeps no time: its commit sets it.
 * @throws CodedError `no_write_permission`, `path_not_found`, `file_not_found`
 */
export async function setModifiedAt(
  user: FileUser<'setTimes'>,
  path: VirtualPath,
  { modifiedAt, id }: { readonly modifiedAt: Date; readonly id: string | undefined },
): Promise<void> {
  const access = await user.access();
  const location = await requirePermission(user, access, path, 'upload');
  if (id !== undefined) await user.store.setTimes(location.vfs.id, location.path, { modifiedAt, id });
}
