import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount } from '@waybill/directory/access/mounts';
import type { EntryOrUpload, FileEntry } from '@waybill/filebox/model/entry';
import { openFile } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { requireAnyPermission } from '../permissions/require-permission.ts';
import { findKnown } from './find-known.ts';

/**
 * What a user sees at a path; undefined for a folder that only leads to a mount, whatever a file system has of that name.
 * @throws CodedError `file_not_found`, `path_not_found`, `no_list_permission` (no permission at all)
 */
export async function look(
  user: Pick<FileUser, 'store' | 'door' | 'userName' | 'access'>,
  path: VirtualPath,
): Promise<EntryOrUpload | undefined> {
  const access = await user.access();
  if (access.locate(path) === undefined) {
    if (holdsMount(access, path)) return undefined;
    throw new CodedError('file_not_found');
  }
  await requireAnyPermission(user, access, path);
  const entry = await findKnown(user, path);
  if (entry?.kind !== 'folder' && holdsMount(access, path)) return undefined;
  if (entry === undefined) throw new CodedError('file_not_found');
  return entry;
}

/**
 * A file that is there, with its metadata, for users who may read it.
 * @throws CodedError `path_not_found`, `not_a_file`, `no_read_permission`, `file_not_found`
 */
export async function lookAtFile(
  user: Pick<FileUser, 'store' | 'door' | 'access'>,
  path: VirtualPath,
): Promise<FileEntry> {
  return (await openFile(user, path, 'download')).file;
}
