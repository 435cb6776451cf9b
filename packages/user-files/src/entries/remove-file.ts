import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { DeletedFile, DeletionOptions } from '@waybill/filebox/deletion/delete-file';
import { requireVersionSight } from '../permissions/disclosure.ts';
import { openFile } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { requireOperation } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';

/**
 * Deletes a file. `open`: uploads of the session that are deleted like a committed file. `asksVersion`: `check` looks at the
 * version that is deleted.
 * @throws CodedError `no_delete_permission`, `no_list_permission`, `path_not_found`, `file_not_found`, `not_a_file`,
 * `upload_in_progress` (open in another session of the user, and never committed)
 */
export async function removeFile(
  user: FileUser<'deleteFile'>,
  path: VirtualPath,
  { asksVersion = false, ...options }: Omit<DeletionOptions, 'origin'> & { readonly asksVersion?: boolean } = {},
): Promise<DeletedFile> {
  const access = await user.access();
  // The deletion also discards unfinished uploads, which a user who does not see them must not lose by it.
  if (user.door.showsUploadsOf === undefined) await openFile(user, path, 'delete');
  const location = await requireOperation(user, access, path, 'delete', { onMount: 'not_a_file' });
  if (asksVersion) requireVersionSight(access, path);
  const origin = user.originAt(location);
  return restatePathError([{ path, location }], () =>
    user.store.deleteFile(location.vfs.id, location.path, { ...options, origin }),
  );
}
