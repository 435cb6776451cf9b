import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileSession } from './session/file-session.ts';
import { requirePermission } from './session/require-permission.ts';
import { requireLocation } from './session/user-tree.ts';

/**
 * Keeps metadata with a file; folders and uncommitted uploads have none. It is what clients send without being asked, so
 * no contract starts by it. `id`: of this file alone, and although an upload of the user to its path may be open.
 * @throws CodedError `no_write_permission`, `path_not_found`, `file_not_found`
 */
export async function keepMetadata(
  session: FileSession,
  path: VirtualPath,
  values: Readonly<Record<string, string>>,
  { id }: { readonly id?: string | undefined } = {},
): Promise<void> {
  const access = await session.access();
  const { store, userName } = session;
  const location = requireLocation(access, path);
  const seen = id === undefined ? { includeUploadOf: userName } : {};
  const found = await store.find(location.vfs.id, location.path, seen);
  if (found !== undefined && found.kind !== 'file') return;
  await requirePermission(session, access, path, 'upload');
  await store.setMetadata(location.vfs.id, location.path, values, {
    origin: session.originAt(location),
    announce: false,
    check: (file) => {
      if (id !== undefined && file.id !== id) throw new CodedError('file_not_found');
    },
  });
}
