import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { WritableFile } from '../../domain/files/handles/writable-file.ts';
import type { HandleTable } from './handle-table.ts';
import { okResponse, type Operation, type RequestOf } from './operation.ts';

/** WRITE. Answered when the bytes are written; calls overlap, and the file keeps their order. */
export const writeBytes: Operation<RequestOf<'write'>> = async (request, { handles }) => {
  await fileToWrite(handles, request.handle).write(request.offset, request.data);
  return okResponse(request);
};

/** fsync@openssh.com (OpenSSH PROTOCOL, section 4.6). */
export const syncHandle: Operation<RequestOf<'fsync'>> = async (request, { handles }) => {
  await fileToWrite(handles, request.handle).sync();
  return okResponse(request);
};

function fileToWrite(handles: HandleTable, handle: Buffer): WritableFile {
  const open = handles.get(handle);
  if (open.kind === 'writing') return open.file;
  throw new CodedError('validation_failed', { detail: 'The handle is not open for writing' });
}
