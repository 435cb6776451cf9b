import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { permitReading } from '@waybill/user-files/content/open-to-read';
import { findToWrite } from '@waybill/user-files/content/permit-writing';
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
  await permitReading(session, path, { creates: true });
  if (!exclusive && (await findToWrite(session, path, { creates: true, replaces: false })) !== undefined) return;
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
