import { CodedError } from '@waybill/contracts/errors/coded-error';
import { okResponse, type Operation, type RequestOf } from './operation.ts';

/** fsync@openssh.com (OpenSSH PROTOCOL, section 4.6). */
export const syncHandle: Operation<RequestOf<'fsync'>> = async (request, { handles }) => {
  const open = handles.get(request.handle);
  if (open.kind !== 'writing') {
    throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
  }
  await open.file.sync();
  return okResponse(request);
};
