import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';
import { keepMetadata } from '@waybill/user-files/entries/keep-metadata';
import { setModifiedAt } from '@waybill/user-files/entries/set-modified-at';
import type { OpenPlace } from '../../domain/files/handles/open-place.ts';
import type { WrittenFile } from '../../domain/files/handles/written-file.ts';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import { metadataOfAttributes } from './attributes.ts';
import { identityOf, placeOf, type OpenHandle } from './handle-table.ts';

/** Attributes that are stored. */
interface KeptAttributes {
  readonly modifiedAt: Date | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

/**
 * Sets attributes of an open file or folder, and not of another one that is at its path now. A file being written can
 * be truncated or extended, and is committed with the modification time, the mode and the owner set here. While nothing
 * was written, the version that it began with gets them immediately, as there may be no commit.
 * @throws CodedError `validation_failed` (a size, but not open for writing), `file_not_found` (renamed, replaced or
 * deleted since), and as `keepMetadata` and `setModifiedAt` do
 */
export async function setAttributesOfOpen(
  files: FileSession,
  open: OpenHandle,
  attributes: FileAttributes,
): Promise<void> {
  if (open.kind === 'writing') {
    await setAttributesOfWritten(files, open.file.written, attributes, open.file.opened);
    return;
  }
  if (attributes.size !== undefined) {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  }
  const kept = keptOf(attributes);
  if (open.kind === 'growing') {
    await setAttributesOfWritten(files, open.file.written, attributes, open.file.opened);
    if (kept.modifiedAt !== undefined) open.file.noteModifiedAt(kept.modifiedAt);
    return;
  }
  const { metadata, modifiedAt } = kept;
  await setOfStored(files, placeOf(open), {
    id: identityOf(open).id,
    modifiedAt,
    ...(open.kind !== 'folder' && { metadata }),
  });
  if (open.kind === 'reading' && modifiedAt !== undefined) open.file.noteModifiedAt(modifiedAt);
}

/**
 * The same for a file that is being written, addressed by its handle or its path. `opened` is the version that the
 * handle was opened for, if the session has replaced that since.
 */
export async function setAttributesOfWritten(
  files: FileSession,
  written: WrittenFile,
  attributes: FileAttributes,
  opened: WrittenFile = written,
): Promise<void> {
  const { modifiedAt, metadata } = keptOf(attributes);
  if (written.committing) await written.committing;
  if (attributes.size !== undefined) await written.truncate(attributes.size);
  if (modifiedAt !== undefined) written.setModifiedAt(modifiedAt);
  if (metadata !== undefined) written.addMetadata(metadata);
  if (!written.isUntouched) return;
  try {
    await setOfStored(files, written.place, { id: opened.committedId ?? opened.identity.id, modifiedAt, metadata });
  } catch (error) {
    // The version being written has them, whatever has happened to the one that it began with.
    if (!isCodedError(error, 'file_not_found', 'path_not_found')) throw error;
  }
}

function keptOf(attributes: FileAttributes): KeptAttributes {
  const { times } = attributes;
  return { modifiedAt: times && new Date(times.modified * 1000), metadata: metadataOfAttributes(attributes) };
}

async function setOfStored(
  files: FileSession,
  { path, isGone }: OpenPlace,
  { id, modifiedAt, metadata }: Partial<KeptAttributes> & { readonly id: string | undefined },
): Promise<void> {
  if (metadata === undefined && modifiedAt === undefined) return;
  if (isGone) throw new CodedError('file_not_found');
  if (metadata !== undefined) await keepMetadata(files, path, metadata, { id });
  if (modifiedAt !== undefined) await setModifiedAt(files, path, { modifiedAt, id });
}
