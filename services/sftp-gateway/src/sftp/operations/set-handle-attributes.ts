import { CodedError } from '@waybill/contracts/coded-error';
import { keepMetadata } from '../../domain/files/keep-metadata.ts';
import { setModifiedAt } from '../../domain/files/set-modified-at.ts';
import { metadataOfAttributes } from '../metadata-of-attributes.ts';
import type { Operation, RequestOf } from './operation.ts';
import { okResponse } from './status-response.ts';

/**
 * FSETSTAT. A file being written can be cut or filled up, and is delivered with the modification time, the mode and the
 * owner set here. The one that it began with has them at once while nothing was written, as there may be no delivery.
 */
export const setHandleAttributes: Operation<RequestOf<'fsetstat'>> = async (request, { files, handles }) => {
  const open = handles.get(request.handle);
  const { size, times } = request.attributes;
  const modifiedAt = times && new Date(times.modified * 1000);
  const metadata = metadataOfAttributes(request.attributes);
  if (open.kind === 'writing') {
    if (size !== undefined) await open.file.truncate(size);
    if (modifiedAt !== undefined) open.file.setModifiedAt(modifiedAt);
    if (metadata !== undefined) open.file.addMetadata(metadata);
    if (!open.file.isUntouched) return okResponse(request);
  } else if (size !== undefined) {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  }
  if (metadata !== undefined) await keepMetadata(files, open.path, metadata, { ofStoredFile: true });
  if (modifiedAt !== undefined) await setModifiedAt(files, open.path, modifiedAt);
  return okResponse(request);
};
