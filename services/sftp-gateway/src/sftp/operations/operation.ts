import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import type { Asking } from '../../domain/files/content/refuse-when-over.ts';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import type { OpenReadAhead } from '../transfers/read-ahead.ts';
import type { TransferBuffer } from '../transfers/transfer-buffers.ts';
import type { HandleTable } from './handle-table.ts';

/** One SFTP channel as an operation sees it. */
export interface Conversation extends Asking {
  readonly files: FileSession;
  readonly handles: HandleTable;
  /** Announced to the client by limits@openssh.com. */
  readonly openHandles: number;
  readonly openReadAhead: OpenReadAhead;
}

/** A response; DATA in a pooled buffer carries the buffer, to be sent from there and released afterwards. */
export type Reply = SftpResponse & { readonly buffer?: TransferBuffer };

/** The request of a type, or of one of several. */
export type RequestOf<Type extends SftpRequest['type']> = Extract<SftpRequest, { type: Type }>;

/** Handles one kind of request. Its errors become a STATUS. */
export type Operation<Request extends SftpRequest> = (request: Request, conversation: Conversation) => Promise<Reply>;

/** STATUS ok. */
export function okResponse({ id }: { readonly id: number }): SftpResponse {
  return { type: 'status', id, code: statusCode.ok, message: 'Success' };
}

/** STATUS end of file: nothing more to read, in a file or in a folder. */
export function endResponse({ id }: { readonly id: number }): SftpResponse {
  return { type: 'status', id, code: statusCode.eof, message: 'End of file' };
}
