import { encodeFileSystem } from '@waybill/sftp-protocol/responses/encode-extended-replies';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { measureSpace, measureSpaceOf, type MeasuredSpace } from '../../domain/files/measure-space.ts';
import { identityOf, placeOf } from './handle-table.ts';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';

/** statvfs@openssh.com (OpenSSH PROTOCOL, section 4.4). */
export const statFileSystem: Operation<RequestOf<'statvfs'>> = async ({ id, path }, { files }) =>
  answer(id, await measureSpace(files, pathOfRequest(path)));

/** fstatvfs@openssh.com: the same for the place of an open file or folder, whatever is at its path now. */
export const statHandleFileSystem: Operation<RequestOf<'fstatvfs'>> = async ({ id, handle }, { files, handles }) => {
  const open = handles.get(handle);
  return answer(id, await measureSpaceOf(files, placeOf(open).path, identityOf(open)));
};

function answer(id: number, space: MeasuredSpace): SftpResponse {
  return { type: 'extended-reply', id, data: encodeFileSystem(space) };
}
