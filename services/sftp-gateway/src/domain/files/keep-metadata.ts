import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { setMetadata } from '@waybill/user-files/entries/set-metadata';
import type { FileSession } from './session/file-session.ts';

/**
 * Keeps metadata with a file; folders and uncommitted uploads have none. It is what clients send without being asked, so
 * no contract starts by it. `id`: of this file alone, and although an upload of the user to its path may be open.
 * @throws CodedError as `setMetadata` of `user-files` does
 */
export async function keepMetadata(
  session: FileSession,
  path: VirtualPath,
  values: Readonly<Record<string, string>>,
  { id }: { readonly id?: string | undefined } = {},
): Promise<void> {
  const { store, userName } = session;
  const location = (await session.access()).locate(path);
  const seen = id === undefined ? { includeUploadOf: userName } : {};
  const found = location && (await store.find(location.vfs.id, location.path, seen));
  if (location === undefined || (found !== undefined && found.kind !== 'file')) return;
  await setMetadata(session, path, values, {
    announce: false,
    check: (file) => {
      if (id !== undefined && file.id !== id) throw new CodedError('file_not_found');
    },
  });
}
