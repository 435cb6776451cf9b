import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';

/** STATUS ok. */
export function okResponse({ id }: { readonly id: number }): SftpResponse {
  return { type: 'status', id, code: statusCode.ok, message: 'Success' };
}

/** STATUS end of file: nothing more to read, in a file or in a folder. */
export function endResponse({ id }: { readonly id: number }): SftpResponse {
  return { type: 'status', id, code: statusCode.eof, message: 'End of file' };
}
