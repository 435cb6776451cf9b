import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';

/** NAME with a path and nothing about what is there, as REALPATH has it (draft-ietf-secsh-filexfer-02, section 6.11). */
export function pathResponse(id: number, path: VirtualPath): SftpResponse {
  return { type: 'name', id, entries: [{ filename: path, longname: path, attributes: {} }] };
}
