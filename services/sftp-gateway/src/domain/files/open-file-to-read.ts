import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { openToRead, permitReading } from '@waybill/user-files/content/open-to-read';
import { createReadRecord } from './content/read-record.ts';
import { findCommitted } from './find-committed.ts';
import { findWritten } from './find-entry.ts';
import { describeEntry } from './handles/entry-description.ts';
import { GrowingFile } from './handles/growing-file.ts';
import { namedPlace } from './handles/open-place.ts';
import type { ReadableFile } from './handles/readable-file.ts';
import type { WrittenFile } from './handles/written-file.ts';
import type { FileSession } from './session/file-session.ts';

/**
 * Opens what the user sees at a path: what this session is writing there, else the committed file.
 * @throws CodedError as `openFileToRead` does
 */
export async function openSeenFile(session: FileSession, path: VirtualPath): Promise<ReadableFile | GrowingFile> {
  const written = await findWritten(session, path);
  if (written) return openWritten(session, path, written);
  try {
    return await openFileToRead(session, path);
  } catch (error) {
    if (!isCodedError(error, 'upload_in_progress')) throw error;
    // Another session may have renamed what this one is writing to this path.
    const moved = await findWritten(session, path, { isSure: true });
    if (!moved) throw error;
    return openWritten(session, path, moved);
  }
}

async function openWritten(
  session: FileSession,
  path: VirtualPath,
  written: WrittenFile,
): Promise<ReadableFile | GrowingFile> {
  if (written.isUntouched) return openFileToRead(session, path);
  const { access, location } = await permitReading(session, path);
  // The bytes of the version that it goes on from count as read, however they come.
  const original = written.identity.id === undefined ? undefined : await openFileToRead(session, path);
  return new GrowingFile({
    written,
    reading: {
      permitted: true,
      original: original && { note: (offset, bytes) => original.noteRead(offset, bytes), close: original.close },
      right: session.rightTo('download', location, access),
    },
    openCommitted: async () => {
      const { place, committedId } = written.current;
      const { id } = await findCommitted(session.store, place, committedId);
      const file = await openFileToRead(session, place.path);
      if (file.identity.id === id) return file;
      await file.close();
      throw new CodedError('file_not_found');
    },
  });
}

/** Opens the committed file. @throws CodedError as `openToRead` of `user-files` does */
export async function openFileToRead(session: FileSession, path: VirtualPath): Promise<ReadableFile> {
  const { location, download } = await openToRead(session, path, {
    expected: session.latestLook.at,
    right: (place, grantedBy) => session.rightTo('download', place, grantedBy),
  });
  const record = createReadRecord(download, session);
  const place = session.openFiles.open(namedPlace(path, location));
  let description = describeEntry(download.entry);
  return {
    place,
    identity: download.entry,
    get description() {
      return description;
    },
    noteModifiedAt: (modifiedAt) => {
      description = { ...description, modifiedAt };
    },
    sha256: download.entry.sha256,
    read: async (offset, length) => {
      const bytes = await download.read(offset, length);
      record.note(offset, bytes.length);
      return bytes;
    },
    readInto: (target, offset) => download.readInto(target, offset),
    noteRead: record.note,
    foundEnd: () => record.note(download.entry.size, 0),
    whole: () => {
      download.assertPermitted();
      record.note(0, download.entry.size);
      return download;
    },
    close: () => {
      session.openFiles.close(place);
      return record.close();
    },
  };
}
