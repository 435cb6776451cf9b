import { CodedError, isCodedError } from '@waybill/contracts/coded-error';
import type { FileAttributes } from '@waybill/sftp-protocol/file-attributes';
import type { FileSession } from '../../domain/files/file-session.ts';
import { keepMetadata } from '../../domain/files/keep-metadata.ts';
import { setModifiedAt } from '../../domain/files/set-modified-at.ts';
import { identityOf, type OpenHandle, type WritingHandle } from '../handle-table.ts';
import { metadataOfAttributes } from '../metadata-of-attributes.ts';

/** Attributes that are kept. */
interface KeptAttributes {
  readonly modifiedAt: Date | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

/**
 * Attributes of what is open, and of nothing else that has come to its path since. A file being written can be cut or filled up,
 * and is delivered with the modification time, the mode and the owner set here. The one that it began with has them at once while
 * nothing was written, as there may be no delivery.
 * @throws CodedError `validation_failed` (a size, but not open for writing), `file_not_found` (renamed, replaced or deleted since),
 * and as `keepMetadata` and `setModifiedAt` do
 */
export async function setAttributesOfOpen(
  files: FileSession,
  open: OpenHandle,
  attributes: FileAttributes,
): Promise<void> {
  const { size, times } = attributes;
  const kept = {
    modifiedAt: times && new Date(times.modified * 1000),
    metadata: metadataOfAttributes(attributes),
  };
  if (open.kind === 'writing') {
    if (size !== undefined) await open.file.truncate(size);
    await setOfWriting(files, open, kept);
  } else if (size !== undefined) {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  } else {
    await setOfStored(files, open, kept);
    if (open.kind === 'reading' && kept.modifiedAt !== undefined) open.file.noteModifiedAt(kept.modifiedAt);
  }
}

async function setOfWriting(files: FileSession, open: WritingHandle, kept: KeptAttributes): Promise<void> {
  if (kept.modifiedAt !== undefined) open.file.setModifiedAt(kept.modifiedAt);
  if (kept.metadata !== undefined) open.file.addMetadata(kept.metadata);
  if (!open.file.isUntouched) return;
  try {
    await setOfStored(files, open, kept);
  } catch (error) {
    // The version that is being made has them, whatever has become of the one that it began with.
    if (!isCodedError(error, 'file_not_found', 'path_not_found')) throw error;
  }
}

async function setOfStored(files: FileSession, open: OpenHandle, { modifiedAt, metadata }: KeptAttributes) {
  const { id } = identityOf(open);
  if (metadata !== undefined && open.kind !== 'folder') await keepMetadata(files, open.path, metadata, { id });
  if (modifiedAt !== undefined) await setModifiedAt(files, open.path, { modifiedAt, id });
}
