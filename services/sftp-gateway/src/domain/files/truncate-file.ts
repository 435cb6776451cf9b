import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { findKnown } from '@waybill/user-files/entries/find-known';
import { openFileToWrite } from './open-file-to-write.ts';
import type { FileSession } from './session/file-session.ts';

/**
 * Cuts a file, or fills it with zeros, to this many bytes: a new version of it, committed at once. The user's own
 * suspended upload is cut and stays one.
 * @throws CodedError as `openFileToWrite` does
 */
export async function truncateFile(session: FileSession, path: VirtualPath, size: number): Promise<void> {
  const found = await findKnown(session, path);
  const mode = { read: false, create: false, exclusive: false, truncate: false, append: false };
  const file = await openFileToWrite(session, path, mode);
  try {
    await file.truncate(size);
  } catch (error) {
    await file.suspend();
    throw error;
  }
  if (found?.kind === 'upload') await file.suspend();
  else await file.close();
}
