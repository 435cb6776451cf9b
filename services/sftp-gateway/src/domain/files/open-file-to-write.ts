import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location } from '@waybill/directory/access/mounts';
import { writtenMetadataOf } from '@waybill/filebox/entries/system-metadata';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Upload } from '@waybill/filebox/model/upload';
import { beginToWrite } from '@waybill/user-files/content/begin-to-write';
import { findToWrite, mayReadToo, permitWriting, type WritePlace } from '@waybill/user-files/content/permit-writing';
import { requireConditionSight, type WriteCondition } from '@waybill/user-files/content/write-condition';
import { createReadRecord, type ReadRecord } from './content/read-record.ts';
import { findCommitted, relocateCommitted } from './find-committed.ts';
import { findWritten } from './find-entry.ts';
import { namedPlace } from './handles/open-place.ts';
import { WritableFile } from './handles/writable-file.ts';
import { WrittenFile } from './handles/written-file.ts';
import type { FileSession } from './session/file-session.ts';

/** How a client opens a file to write it; the names are POSIX's. */
export interface WriteMode {
  /** It is to be read as well. */
  readonly read: boolean;
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly truncate: boolean;
  readonly append: boolean;
  /** False: when the connection breaks, nothing is kept to go on with. True by default. */
  readonly resumable?: boolean;
}

/**
 * Opens a file to write it. Without `truncate` it goes on from what the user sees there: the own suspended upload, or
 * a copy of the file. A file that must be new is refused where the user sees either, and never goes on from anything. What this session is writing there already is shared. Others see the old version until the file is closed.
 * A user who may write here but not read gets the file all the same, since some clients always open for both: the reading is
 * what fails then.
 * @throws CodedError `no_write_permission`, `no_list_permission` (to make a file that must be new), `path_not_found`, `file_not_found`, `not_a_file`, `already_exists`,
 * `upload_in_progress`
 */
export async function openFileToWrite(session: FileSession, path: VirtualPath, mode: WriteMode): Promise<WritableFile> {
  const writePlace = await permitWriting(session, path, { creates: mode.create });
  const condition: WriteCondition | undefined = mode.create && mode.exclusive ? { kind: 'absent' } : undefined;
  if (condition) await requireConditionSight(session, writePlace, condition);
  const { location, access } = writePlace;
  const { shared, found } = await findVersions(session, writePlace, mode);
  const goesOn = mode.truncate ? undefined : (shared ?? (found?.kind === 'file' ? found : undefined));
  const permitted = mode.read && mayReadToo(writePlace);
  const original = permitted && isCommitted(goesOn) ? await openOriginal(session, location) : undefined;
  const right = permitted ? session.rightTo('download', location, access) : undefined;
  const options = { append: mode.append, ...(mode.read && { reading: { permitted, original, right } }) };
  if (goesOn instanceof WrittenFile) return new WritableFile(goesOn.share(), options);
  try {
    const resume = found !== undefined && !mode.truncate;
    const begun = { condition, resume, replaced: goesOn, resumable: mode.resumable ?? true };
    return new WritableFile(await beginVersion(session, writePlace, begun), options);
  } catch (error) {
    right?.[Symbol.dispose]();
    await original?.close();
    throw error;
  }
}

/** What the session is writing there, or what it finds. @throws CodedError `already_exists`, and as `findToWrite` does */
async function findVersions(session: FileSession, { path, location }: WritePlace, mode: WriteMode) {
  const open = await findWritten(session, path);
  if (open && mode.create && mode.exclusive) throw new CodedError('already_exists');
  if (open) return { shared: open, found: undefined };
  const found = await findToWrite(session, path, { creates: mode.create, replaces: mode.truncate || mode.exclusive });
  // Another session may have renamed what this one is writing to this path.
  if (found?.kind === 'upload') {
    return { shared: await findWritten(session, path, { isSure: true }), found };
  }
  const shared = found && !mode.truncate ? session.openFiles.committedAs(found.id) : undefined;
  // Another session may have renamed it since it was committed.
  shared?.place.relocate(location.path);
  return { shared, found };
}

/** Whether reading it is a download of what was committed before. */
function isCommitted(file: WrittenFile | FileEntry | undefined): boolean {
  if (file instanceof WrittenFile) return file.identity.id !== undefined || file.committedId !== undefined;
  return file !== undefined;
}

/** How a version begins: `replaced` is what it goes on from, where that was committed. */
interface Beginning {
  readonly condition: WriteCondition | undefined;
  readonly resumable: boolean;
  readonly resume: boolean;
  readonly replaced: FileEntry | undefined;
}

async function beginVersion(session: FileSession, writePlace: WritePlace, beginning: Beginning): Promise<WrittenFile> {
  const { store, openFiles } = session;
  const { replaced, resumable } = beginning;
  const { path, location } = writePlace;
  const vfsId = location.vfs.id;
  const upload = await beginUpload(session, writePlace, beginning);
  const place = openFiles.open(namedPlace(path, location));
  const written = new WrittenFile(upload, {
    place,
    openFiles,
    identity: { vfsId, id: replaced?.id },
    ...(replaced && { modifiedAt: replaced.modifiedAt }),
    // Opening a finished file and closing it again changes nothing, so it must not be committed once more.
    commitUntouched: replaced === undefined,
    look: { files: (ids) => store.findFilePlaces(vfsId, ids), uploads: (blobIds) => store.findUploadPlaces(blobIds) },
    reopen: async (committedId) => {
      const committed = await findCommitted(store, place, committedId);
      const now = await permitWriting(session, place.path, { creates: false });
      // Another file system may have been mounted there since.
      if (now.location.vfs.id !== vfsId) throw new CodedError('path_not_found');
      const renamed = { ...now, location: { ...now.location, path: place.vfsPath } };
      return beginUpload(session, renamed, { resumable, resume: 'file', replaced: committed, condition: undefined });
    },
  });
  await relocateCommitted(session, vfsId);
  if (openFiles.mayHaveMovedTo(location.path)) await openFiles.relocate(store.findUploadPlaces);
  openFiles.addWritten(written);
  return written;
}

/** What goes on from a file is a version of it, and keeps what was said of that. */
function beginUpload(
  session: FileSession,
  place: WritePlace,
  { replaced, ...how }: Omit<Beginning, 'resume'> & { readonly resume: boolean | 'file' },
): Promise<Upload> {
  return beginToWrite(session, place, {
    ...how,
    ...(replaced && { mediaType: replaced.mediaType, metadata: writtenMetadataOf(replaced), followsFile: true }),
    right: (location, access) => session.rightTo('upload', location, access),
  });
}

/** The version that is copied: who reads it through the copy has downloaded it. */
async function openOriginal(session: FileSession, location: Location): Promise<ReadRecord> {
  const origin = session.originAt(location);
  return createReadRecord(await session.store.openDownload(location.vfs.id, location.path, { origin }), {
    user: session.user,
    coverage: session.coverage,
  });
}
