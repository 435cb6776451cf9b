import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { OpenPlace } from './handles/open-place.ts';
import type { FileSession, FileStore } from './session/file-session.ts';

/** Notes where others have renamed, and that they have removed, what the session has open, has committed and can write to still. */
export async function relocateCommitted(
  { store, openFiles }: Pick<FileSession, 'store' | 'openFiles'>,
  vfsId: string | undefined,
): Promise<void> {
  if (vfsId === undefined) return;
  const committed = openFiles.committed.filter(({ place }) => place.vfsId === vfsId);
  if (committed.length === 0) return;
  const ids = committed.map(({ committedId }) => committedId ?? '');
  const places = await store.findFilePlaces(vfsId, ids);
  for (const [index, file] of committed.entries()) {
    if (file.isIdle) file.place.relocate(places.get(ids[index] ?? ''));
  }
}

/**
 * The file that a session has committed and still has open, wherever others have renamed it to since; its place is noted. Never
 * another file that stands at its path by now.
 * @throws CodedError `file_not_found` (removed or replaced)
 */
export async function findCommitted(
  store: Pick<FileStore, 'find' | 'findFilePlaces'>,
  place: OpenPlace,
  id: string | undefined,
): Promise<FileEntry> {
  const { vfsId } = place;
  if (place.isGone || vfsId === undefined || id === undefined) throw new CodedError('file_not_found');
  const path = (await store.findFilePlaces(vfsId, [id])).get(id);
  const found = path && (await store.find(vfsId, path));
  if (path === undefined || found?.kind !== 'file' || found.id !== id) throw new CodedError('file_not_found');
  place.relocate(path);
  return found;
}
