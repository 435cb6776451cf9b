import { CodedError } from '@waybill/contracts/coded-error';
import { nameOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Location } from '@waybill/directory/mounts';
import type { EntryOrPartial } from '@waybill/filebox/entry';
import { writtenMetadataOf } from '@waybill/filebox/system-metadata';
import type { FileSession } from './file-session.ts';
import { findKnown } from './find-known.ts';
import { createReadRecord, type ReadRecord } from './read-record.ts';
import { requirePermission, requireSight } from './require-permission.ts';
import { requireLocation } from './user-tree.ts';
import { WritableFile } from './writable-file.ts';

/** How a client opens a file to write it; the names are POSIX's. */
export interface WriteMode {
  /** It is to be read as well. */
  readonly read: boolean;
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly truncate: boolean;
  readonly append: boolean;
}

/**
 * Opens a file to write it. Without `truncate` it goes on from what the user sees there: the own interrupted upload, or
 * a copy of the file. Either way others see the old version until the file is closed. Who may write here but not read
 * gets the file all the same, since some clients always open for both: the reading is what fails then. A file that the
 * user is not to know of is replaced like any other, and never gone on from.
 * @throws CodedError `no_write_permission`, `no_list_permission` (to make a file that must be new), `path_not_found`, `file_not_found`, `not_a_file`, `already_exists`,
 * `upload_in_progress`
 */
export async function openFileToWrite(session: FileSession, path: VirtualPath, mode: WriteMode): Promise<WritableFile> {
  const access = await session.access();
  const location = requireLocation(access, path);
  await requirePermission(session, access, path, 'upload', { makes: mode.create });
  const { store } = session;
  if (mode.create && mode.exclusive) requireSight(access, path);
  const found = await findExisting(session, path, location, mode);

  const replaces = found?.kind === 'file' && !mode.truncate;
  const permitted = mode.read && access.decide(path, 'download').allowed;
  // What goes on from a file is a version of it, and keeps what was said of that.
  const inherited = replaces ? { mediaType: found.mediaType, metadata: writtenMetadataOf(found) } : undefined;
  const original = permitted && replaces ? await openOriginal(session, location) : undefined;
  try {
    const upload = await store.beginUpload(location.vfs.id, location.path, {
      origin: session.originAt(location),
      overwrite: !(mode.create && mode.exclusive),
      keepPartial: true,
      countsAsNew: !access.decide(path, 'list').allowed,
      temporaryName: session.isTemporary(path),
      resume: found !== undefined && !mode.truncate,
      ...inherited,
    });
    return new WritableFile(upload, {
      name: nameOf(path),
      identity: { vfsId: location.vfs.id, id: replaces ? found.id : undefined },
      ...(replaces && { modifiedAt: found.modifiedAt }),
      metadata: inherited?.metadata ?? {},
      append: mode.append,
      // Opening a finished file and closing it again changes nothing, so it must not be delivered once more.
      deliverUntouched: !replaces,
      ...(mode.read && { reading: { permitted, original } }),
    });
  } catch (error) {
    await original?.close();
    throw error;
  }
}

/**
 * What the mode is about. A new version, whatever is there, needs no look: what begins it refuses a folder in its place,
 * or a file that was to be new, and a look would cost small files two more questions to the database.
 */
async function findExisting(
  session: FileSession,
  path: VirtualPath,
  location: Location,
  { create, exclusive, truncate }: WriteMode,
): Promise<EntryOrPartial | undefined> {
  if (create && truncate) return undefined;
  const found = await findKnown(session, path, location);
  if (found?.kind === 'folder') throw new CodedError('not_a_file');
  if (found === undefined && !create) throw new CodedError('file_not_found');
  if (found?.kind === 'file' && create && exclusive) throw new CodedError('already_exists');
  return found;
}

/** The version that is copied: who reads it through the copy has downloaded it. */
async function openOriginal(session: FileSession, location: Location): Promise<ReadRecord> {
  const origin = session.originAt(location);
  return createReadRecord(await session.store.openDownload(location.vfs.id, location.path, { origin }), {
    userName: session.userName,
    sentParts: session.sentParts,
  });
}
