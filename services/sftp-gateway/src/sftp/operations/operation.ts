import type { SftpRequest } from '@waybill/sftp-protocol/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/sftp-response';
import type { FileSession } from '../../domain/files/file-session.ts';
import type { Asking } from '../../domain/files/refuse-when-over.ts';
import type { HandleTable } from '../handle-table.ts';
import type { OpenReadAhead } from '../read-ahead.ts';
import type { TransferBuffer } from '../transfer-buffers.ts';

/** One SFTP channel as an operation sees it. */
export interface Conversation extends Asking {
  readonly files: FileSession;
  readonly handles: HandleTable;
  /** Announced to the client by limits@openssh.com. */
  readonly openHandles: number;
  readonly openReadAhead: OpenReadAhead;
}

/** A response; DATA that was read into a buffer says so, to be sent from there and to give it back then. */
export type Reply = SftpResponse & { readonly buffer?: TransferBuffer };

/** The request of a type, or of one of several. */
export type RequestOf<Type extends SftpRequest['type']> = Extract<SftpRequest, { type: Type }>;

/** Answers one kind of request. What it throws becomes a STATUS. */
export type Operation<Request extends SftpRequest> = (request: Request, conversation: Conversation) => Promise<Reply>;
