import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { findKnown } from '@waybill/user-files/permissions/find-known';
import { requirePermission } from '@waybill/user-files/permissions/require-permission';
import { refuseMountFolder } from '@waybill/user-files/permissions/user-tree';
import { openFileToWrite } from './open-file-to-write.ts';
import type { FileSession } from './session/file-session.ts';

/**
 * Commits an empty file where the user sees nothing: for a client that opens to read what it wants to exist.
 * @throws CodedError `already_exists` (with `exclusive`), and as `openFileToWrite` does
 */
export async function createFile(
  session: FileSession,
  path: VirtualPath,
  { exclusive }: { readonly exclusive: boolean },
): Promise<void> {
  const access = await session.access();
  refuseMountFolder(access, path, 'not_a_file');
  await requirePermission(session, access, path, 'download', { makes: true });
  if (!exclusive && (await findKnown(session, path)) !== undefined) return;
  try {
    // Without EXCLUSIVE several clients may do this at the same time, and none is in the way of another: the first CLOSE decides.
    const resumable = exclusive;
    const mode = { read: false, create: true, exclusive: true, truncate: true, append: false, resumable };
    const file = await openFileToWrite(session, path, mode);
    await file.close();
  } catch (error) {
    // Another client was first: the file, or an upload of it, exists.
    if (exclusive || !isCodedError(error, 'already_exists')) throw error;
  }
}
