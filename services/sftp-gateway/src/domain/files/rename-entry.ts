import { moveEntry, type Move } from '@waybill/user-files/entries/move-entry';
import { relocateCommitted } from './find-committed.ts';
import { namedPlace } from './handles/open-place.ts';
import type { FileSession } from './session/file-session.ts';

/**
 * Renames or moves. What the session has open moves along.
 * @throws CodedError as `moveEntry` of `user-files` does
 */
export async function renameEntry(session: FileSession, move: Move): Promise<void> {
  const { from, to } = move;
  const { openFiles } = session;
  const access = await session.access();
  const places = { from: namedPlace(from, access.locate(from)), to: namedPlace(to, access.locate(to)) };
  await relocateCommitted(session, places.from.vfsId);
  const { moved, removed } = await moveEntry(session, move, { open: openFiles.uploads });
  if (from !== to) openFiles.renamed(places.from, places.to, { moved, removed });
}
