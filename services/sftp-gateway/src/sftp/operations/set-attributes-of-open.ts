import { CodedError } from '@waybill/contracts/coded-error';
import type { FileAttributes } from '@waybill/sftp-protocol/file-attributes';
import type { FileSession } from '../../domain/files/file-session.ts';
import { keepMetadata } from '../../domain/files/keep-metadata.ts';
import { setModifiedAt } from '../../domain/files/set-modified-at.ts';
import type { OpenHandle } from '../handle-table.ts';
import { metadataOfAttributes } from '../metadata-of-attributes.ts';

/**
 * Attributes of what is open. A file being written can be cut or filled up, and is delivered with the modification time,
 * the mode and the owner set here. The one that it began with has them at once while nothing was written, as there may be
 * no delivery.
 * @throws CodedError `validation_failed` (a size, but not open for writing), and as `keepMetadata` and `setModifiedAt` do
 */
export async function setAttributesOfOpen(
  files: FileSession,
  open: OpenHandle,
  attributes: FileAttributes,
): Promise<void> {
  const { size, times } = attributes;
  const modifiedAt = times && new Date(times.modified * 1000);
  const metadata = metadataOfAttributes(attributes);
  if (open.kind === 'writing') {
    if (size !== undefined) await open.file.truncate(size);
    if (modifiedAt !== undefined) open.file.setModifiedAt(modifiedAt);
    if (metadata !== undefined) open.file.addMetadata(metadata);
    if (!open.file.isUntouched) return;
  } else if (size !== undefined) {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  }
  if (metadata !== undefined) await keepMetadata(files, open.path, metadata, { ofStoredFile: true });
  if (modifiedAt !== undefined) await setModifiedAt(files, open.path, modifiedAt);
}
