import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { look } from '@waybill/user-files/entries/look';
import {
  describeEntry,
  describeMountFolder,
  type EntryDescription,
  type EntryIdentity,
} from './handles/entry-description.ts';
import { namedPlace } from './handles/open-place.ts';
import type { WrittenFile } from './handles/written-file.ts';
import type { FileSession } from './session/file-session.ts';

/** What a user sees at a path, and which entry it is. */
export interface FoundEntry extends EntryDescription {
  readonly identity: EntryIdentity;
}

/** What is at a path. @throws CodedError as `look` of `user-files` does */
export async function findEntry(session: FileSession, path: VirtualPath): Promise<FoundEntry> {
  const entry = await look(session, path);
  if (entry === undefined) {
    const vfsId = (await session.access()).locate(path)?.vfs.id;
    return { ...describeMountFolder(nameOf(path)), identity: { vfsId, id: undefined } };
  }
  if (entry.kind === 'file') session.latestLook.note(entry);
  const id = entry.kind === 'upload' ? undefined : entry.id;
  return { ...describeEntry(entry), identity: { vfsId: entry.vfsId, id } };
}

/**
 * What this session is writing at a path and has not committed yet, also where another session has renamed it to this path. The
 * file index is queried only if there may be something, or with `isSure`, if the index has shown that there is something.
 */
export async function findWritten(
  session: FileSession,
  path: VirtualPath,
  { isSure = false }: { readonly isSure?: boolean } = {},
): Promise<WrittenFile | undefined> {
  const { openFiles, store } = session;
  const access = await session.access();
  const place = namedPlace(path, access.locate(path));
  const mayBeHere = openFiles.writtenAt(place) !== undefined || openFiles.mayHaveMovedTo(place.vfsPath);
  if (!isSure && !mayBeHere) return undefined;
  await openFiles.relocate(store.findUploadPlaces);
  return openFiles.writtenAt(place);
}
