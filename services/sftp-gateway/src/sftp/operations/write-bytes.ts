import { CodedError } from '@waybill/contracts/errors/coded-error';
import { okResponse, type Operation, type RequestOf } from './operation.ts';

/** WRITE. Answered when the bytes are written; calls overlap, and the file keeps their order. */
export const writeBytes: Operation<RequestOf<'write'>> = async (request, { handles }) => {
  const open = handles.get(request.handle);
  if (open.kind !== 'writing') {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  }
  await open.file.write(request.offset, request.data);
  return okResponse(request);
};
