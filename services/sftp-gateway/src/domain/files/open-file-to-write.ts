import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import { writtenMetadataOf } from '@waybill/filebox/entries/system-metadata';
import type { EntryOrUpload, FileEntry } from '@waybill/filebox/model/entry';
import { requireSight } from '@waybill/user-files/permissions/disclosure';
import { findKnown } from '@waybill/user-files/permissions/find-known';
import { requirePermission } from '@waybill/user-files/permissions/require-permission';
import { refuseMountFolder } from '@waybill/user-files/permissions/user-tree';
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
 * what fails then. A file that the user is not to know of is replaced like any other, and never gone on from.
 * @throws CodedError `no_write_permission`, `no_list_permission` (to make a file that must be new), `path_not_found`, `file_not_found`, `not_a_file`, `already_exists`,
 * `upload_in_progress`
 */
export async function openFileToWrite(session: FileSession, path: VirtualPath, mode: WriteMode): Promise<WritableFile> {
  const access = await session.access();
  refuseMountFolder(access, path, 'not_a_file');
  const location = await requirePermission(session, access, path, 'upload', { makes: mode.create });
  const isNew = mode.create && mode.exclusive;
  if (isNew) await requireSight(session, access, path);
  const { shared, found } = await findVersions(session, path, location, mode);
  const goesOn = mode.truncate ? undefined : (shared ?? (found?.kind === 'file' ? found : undefined));
  const permitted = mode.read && access.decide(path, 'download').allowed;
  const original = permitted && isCommitted(goesOn) ? await openOriginal(session, location) : undefined;
  const right = permitted ? session.rightTo('download', location, access) : undefined;
  const options = { append: mode.append, ...(mode.read && { reading: { permitted, original, right } }) };
  if (goesOn instanceof WrittenFile) return new WritableFile(goesOn.share(), options);
  try {
    const resume = found !== undefined && !mode.truncate;
    const begun = { isNew, resume, replaced: goesOn, resumable: mode.resumable ?? true };
    return new WritableFile(await beginToWrite(session, { access, path, location }, begun), options);
  } catch (error) {
    right?.[Symbol.dispose]();
    await original?.close();
    throw error;
  }
}

/** What the session is writing there, or what it finds. @throws CodedError `already_exists`, and as `findExisting` does */
async function findVersions(session: FileSession, path: VirtualPath, location: Location, mode: WriteMode) {
  const open = await findWritten(session, path);
  if (open && mode.create && mode.exclusive) throw new CodedError('already_exists');
  if (open) return { shared: open, found: undefined };
  const found = await findExisting(session, path, mode);
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

interface WritePlace {
  readonly access: Mounts;
  readonly path: VirtualPath;
  readonly location: Location;
}

/** How a version begins: `replaced` is what it goes on from, where that was committed. */
interface Beginning {
  readonly isNew: boolean;
  readonly resumable: boolean;
  readonly resume: boolean;
  readonly replaced: FileEntry | undefined;
}

async function beginToWrite(
  session: FileSession,
  { access, path, location }: WritePlace,
  { isNew, resumable, resume, replaced }: Beginning,
): Promise<WrittenFile> {
  const { store, openFiles, isTemporary } = session;
  const common = {
    origin: session.originAt(location),
    resumable,
    countsAsNew: !access.decide(path, 'list').allowed,
    isTemporaryName: isTemporary,
  };
  // What goes on from a file is a version of it, and keeps what was said of that.
  const inherited = replaced && inheritedFrom(replaced);
  const vfsId = location.vfs.id;
  const rightAt = (place: VirtualPath) => session.rightTo('upload', { ...location, path: place }, access);
  const upload = await store.beginUpload(vfsId, location.path, {
    ...common,
    overwrite: !isNew,
    besideUploads: !isNew,
    resume,
    ...inherited,
    right: rightAt(location.path),
  });
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
      await requirePermission(session, await session.access(), place.path, 'upload');
      const version = { ...common, overwrite: true, resume: 'file' as const, ...inheritedFrom(committed) };
      return store.beginUpload(vfsId, place.vfsPath, { ...version, right: rightAt(place.vfsPath) });
    },
  });
  await relocateCommitted(session, vfsId);
  if (openFiles.mayHaveMovedTo(location.path)) await openFiles.relocate(store.findUploadPlaces);
  openFiles.addWritten(written);
  return written;
}

function inheritedFrom(file: FileEntry) {
  return { mediaType: file.mediaType, metadata: writtenMetadataOf(file), followsFile: true };
}

/**
 * What the mode is about. A new version, whatever is there, needs no look, and neither does a file that must be new: what
 * begins it refuses a folder in its place, and what is there already, and a look would cost small files two more questions to
 * the database.
 */
async function findExisting(
  session: FileSession,
  path: VirtualPath,
  { create, exclusive, truncate }: WriteMode,
): Promise<EntryOrUpload | undefined> {
  if (create && (truncate || exclusive)) return undefined;
  const found = await findKnown(session, path);
  if (found?.kind === 'folder') throw new CodedError('not_a_file');
  if (found === undefined && !create) throw new CodedError('file_not_found');
  return found;
}

/** The version that is copied: who reads it through the copy has downloaded it. */
async function openOriginal(session: FileSession, location: Location): Promise<ReadRecord> {
  const origin = session.originAt(location);
  return createReadRecord(await session.store.openDownload(location.vfs.id, location.path, { origin }), {
    userName: session.userName,
    coverage: session.coverage,
  });
}
