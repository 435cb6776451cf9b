import { CodedError } from '@waybill/contracts/errors/coded-error';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import { endResponse, type Operation, type RequestOf } from './operation.ts';

/** READ. The length is the client's claim, up to 4 GiB, and is limited to what one packet carries. */
export const readBytes: Operation<RequestOf<'read'>> = async (request, { files, handles }) => {
  const { id, offset } = request;
  const open = handles.get(request.handle);
  if (open.kind === 'folder') throw new CodedError('not_a_file');
  const most = Math.min(request.length, protocolLimits.dataBytes);
  if (open.kind === 'writing' || open.kind === 'growing') {
    await files.records.settled();
    const data = await open.file.read(offset, most);
    return data.length === 0 ? endResponse(request) : { type: 'data', id, data };
  }
  const length = Math.max(0, Math.min(most, open.file.description.size - offset));
  if (length === 0) {
    open.file.foundEnd();
    return endResponse(request);
  }
  const recording = files.records.settled();
  if (recording !== undefined) await recording;
  const { buffer, count } = await open.ahead.read(offset, length);
  open.file.noteRead(offset, count);
  if (count === 0) return endResponse(request);
  return { type: 'data', id, data: buffer.bytes.subarray(0, count), buffer };
};
