import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { removeFile as removeUserFile } from '@waybill/user-files/entries/remove-file';
import { relocateCommitted } from './find-committed.ts';
import { namedPlace } from './handles/open-place.ts';
import type { FileSession } from './session/file-session.ts';

/**
 * Deletes a file, whether it was committed or is still open in this session: closing it then commits nothing.
 * @throws CodedError as `removeFile` of `user-files` does
 */
export async function removeFile(session: FileSession, path: VirtualPath): Promise<void> {
  const { openFiles } = session;
  const place = namedPlace(path, (await session.access()).locate(path));
  await relocateCommitted(session, place.vfsId);
  const { removed } = await removeUserFile(session, path, { open: openFiles.uploads });
  openFiles.removed(place, removed);
}
