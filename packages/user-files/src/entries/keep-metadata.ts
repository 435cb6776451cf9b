import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { holdsMount } from '@waybill/directory/access/mounts';
import type { FileUser } from '../permissions/file-user.ts';
import { setMetadata } from './set-metadata.ts';

/**
 * Keeps metadata with a file; folders and uncommitted uploads have none. It is what clients send without being asked, so
 * no contract starts by it. `id`: of this file alone, and although an upload of the user to its path may be open.
 * @throws CodedError as `setMetadata` does
 */
export async function keepMetadata(
  user: FileUser<'setMetadata'>,
  path: VirtualPath,
  values: Readonly<Record<string, string>>,
  { id }: { readonly id?: string | undefined } = {},
): Promise<void> {
  const access = await user.access();
  const location = access.locate(path);
  if (location === undefined || holdsMount(access, path)) return;
  const seen = id === undefined ? { includeUploadOf: user.userName } : {};
  const found = await user.store.find(location.vfs.id, location.path, seen);
  if (found !== undefined && found.kind !== 'file') return;
  await setMetadata(user, path, values, {
    announce: false,
    check: (file) => {
      if (id !== undefined && file.id !== id) throw new CodedError('file_not_found');
    },
  });
}
