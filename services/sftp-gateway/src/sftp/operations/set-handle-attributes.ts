import { CodedError } from '@waybill/contracts/coded-error';
import { keepMetadata } from '../../domain/files/keep-metadata.ts';
import { metadataOfAttributes } from '../metadata-of-attributes.ts';
import type { Operation, RequestOf } from './operation.ts';
import { okResponse } from './status-response.ts';

/**
 * FSETSTAT. A file being written can be cut or filled up, and is delivered with the modification time, the mode and the
 * owner set here.
 */
export const setHandleAttributes: Operation<RequestOf<'fsetstat'>> = async (request, { files, handles }) => {
  const open = handles.get(request.handle);
  const { size, times } = request.attributes;
  const metadata = metadataOfAttributes(request.attributes);
  if (open.kind === 'writing') {
    if (size !== undefined) await open.file.truncate(size);
    if (times !== undefined) open.file.setModifiedAt(new Date(times.modified * 1000));
    if (metadata !== undefined) open.file.addMetadata(metadata);
  } else if (size !== undefined) {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  } else if (metadata !== undefined) {
    await keepMetadata(files, open.path, metadata);
  }
  return okResponse(request);
};
