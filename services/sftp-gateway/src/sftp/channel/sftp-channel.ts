import type { Socket } from 'node:net';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { BufferReclaimer } from '@waybill/service-kit/buffer-reclaimer';
import { withCorrelation } from '@waybill/service-kit/telemetry/correlation';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { SftpProtocolError } from '@waybill/sftp-protocol/wire/sftp-protocol-error';
import type { ServerChannel } from 'ssh2';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import type { GatewayEvents } from '../../events.ts';
import { HandleTable } from '../operations/handle-table.ts';
import type { Reply } from '../operations/operation.ts';
import { auditRefusal, describeOperation } from '../operations/refused-operation.ts';
import { runOperation, type OperationRequest } from '../operations/run-operation.ts';
import type { SftpLimits } from '../sftp-limits.ts';
import type { CurrentFile } from '../transfers/activity-meter.ts';
import type { OpenReadAhead } from '../transfers/read-ahead.ts';
import type { TransferBuffers } from '../transfers/transfer-buffers.ts';
import { ReplySender } from './reply-sender.ts';
import { RequestPump } from './request-pump.ts';
import { statusOfError } from './status-of-error.ts';

/** What a channel needs. */
export interface SftpChannelOptions {
  readonly channel: ServerChannel;
  readonly socket: Socket;
  readonly files: FileSession;
  readonly limits: SftpLimits;
  readonly events: GatewayEvents;
  readonly reclaimer: BufferReclaimer;
  readonly transferBuffers: TransferBuffers;
  readonly openReadAhead: OpenReadAhead;
  /** Settles at the end of the present key exchange; undefined without one. */
  keyExchange(): Promise<void> | undefined;
  /** Called with every chunk from the client, and every response that it has read. */
  onActivity(): void;
  /** The user was disabled or removed while the session was open. */
  onAccessLost(): void;
}

const version = 3;

/** Only what the tests exercise is announced (OpenSSH PROTOCOL, section 4; draft-ietf-secsh-filexfer-extensions-00). */
const extensions = [
  { name: 'posix-rename@openssh.com', data: '1' },
  { name: 'fsync@openssh.com', data: '1' },
  { name: 'limits@openssh.com', data: '1' },
  { name: 'statvfs@openssh.com', data: '2' },
  { name: 'fstatvfs@openssh.com', data: '2' },
  { name: 'expand-path@openssh.com', data: '1' },
  { name: 'copy-data', data: '1' },
  { name: 'check-file', data: '1' },
  { name: 'home-directory', data: '1' },
];

/** Speaks SFTP on a raw channel until the client ends, violates the protocol, or disconnects. */
export class SftpChannel {
  readonly #options: SftpChannelOptions;
  readonly #channel: ServerChannel;
  readonly #handles: HandleTable;
  readonly #replies: ReplySender;
  readonly #pump: RequestPump;
  #initialised = false;
  #operations = 0;
  #isAbandoned = false;
  #abandoned: Promise<void> | undefined;

  constructor(options: SftpChannelOptions) {
    const { channel, socket, limits, transferBuffers, keyExchange } = options;
    this.#options = options;
    this.#channel = channel;
    this.#handles = new HandleTable(limits.openHandles);
    this.#replies = new ReplySender({ channel, socket, unsentBytes: limits.unsentBytes, keyExchange });
    this.#pump = new RequestPump({
      requestsInFlight: limits.requestsInFlight,
      bytesInFlight: limits.bytesInFlight,
      transferBuffers,
      pause: () => channel.pause(),
      resume: () => channel.resume(),
      answer: (request) => this.#answer(request),
      refuse: (id, { message }) =>
        void this.#replies.send({ type: 'status', id, code: statusCode.badMessage, message }),
      finished: (error) => this.#finish(error),
    });
    channel.on('data', this.#receive);
    channel.on('end', () => this.#pump.end());
  }

  /** Whether a request is being processed. A response that the client does not read is not counted. */
  get working(): boolean {
    return this.#operations > 0;
  }

  /** Whether a request is being processed or its response queued, or a file is open. */
  get busy(): boolean {
    return this.#pump.busy || this.#handles.size > 0;
  }

  /** The open file that was opened last. */
  get latestFile(): CurrentFile | undefined {
    return this.#handles.latestFile;
  }

  /**
   * The client has closed the channel: responses are dropped, and those that wait for the window do not delay anything.
   */
  stopAnswering(): void {
    this.#replies.close();
  }

  /** The client has disconnected: ends what is open, with the bytes written until then. Resolves when that is done. */
  leave(): Promise<void> {
    if (this.#isAbandoned) return this.abandon();
    this.#isAbandoned = true;
    this.#replies.close();
    this.#channel.off('data', this.#receive);
    this.#pump.finishWrites(unreadOf(this.#channel));
    return this.abandon();
  }

  /** Ends what is open. Resolves when that is done. */
  abandon(): Promise<void> {
    this.#isAbandoned = true;
    this.#pump.stop();
    this.#replies.close();
    this.#abandoned ??= this.#closeAll();
    return this.#abandoned;
  }

  /** No response can be sent any more. Nothing else shows that the client has closed a paused channel. */
  get #isOver(): boolean {
    return this.#isAbandoned || !this.#channel.writable;
  }

  readonly #receive = (chunk: Buffer): void => {
    const { onActivity, reclaimer } = this.#options;
    onActivity();
    reclaimer.note(chunk.length);
    this.#pump.receive(chunk);
  };

  async #answer(request: SftpRequest): Promise<void> {
    if ((request.type === 'init') === this.#initialised) {
      this.#finish(new SftpProtocolError('unexpected-type', 'A conversation begins with one INIT'));
    } else if (request.type === 'init') {
      this.#initialised = true;
      await this.#replies.send({ type: 'version', version, extensions });
    } else {
      await this.#replies.send(await this.#respond(request));
      this.#options.onActivity();
    }
  }

  async #respond(request: OperationRequest): Promise<Reply> {
    const { files, events, limits, openReadAhead, reclaimer, onAccessLost } = this.#options;
    // A handle that is closed is gone when its CLOSE has failed.
    const closing = request.type === 'close' ? describeOperation(request, this.#handles) : undefined;
    this.#operations += 1;
    try {
      const conversation = {
        files,
        handles: this.#handles,
        openHandles: limits.openHandles,
        openReadAhead,
        isOver: () => this.#isOver,
      };
      const { userName, sessionId } = files;
      const response = await withCorrelation({ userName, sessionId }, () => runOperation(request, conversation));
      if (request.type === 'write') events.bytesReceived(request.data.length);
      if (response.type === 'data') {
        events.bytesSent(response.data.length);
        // The rest is sent from reused memory.
        if (response.buffer?.release === undefined) reclaimer.note(response.data.length);
      }
      return response;
    } catch (error) {
      if (!(error instanceof CodedError)) events.operationFailed(request.type, error);
      if (isCodedError(error, 'not_authenticated')) onAccessLost();
      await auditRefusal(files, error, closing ?? describeOperation(request, this.#handles));
      return { type: 'status', id: request.id, ...statusOfError(error) };
    } finally {
      this.#operations -= 1;
    }
  }

  #finish(error?: SftpProtocolError): void {
    if (this.#isAbandoned) return;
    if (error !== undefined) this.#options.events.protocolViolated(error);
    void this.#exit(error === undefined ? 0 : 1);
    void this.abandon();
    // What the client still sends is discarded, but unread it would keep the channel from closing.
    this.#channel.resume();
  }

  /** After all downloads are audited; a client that learns of a failure may download again. */
  async #exit(code: number): Promise<void> {
    const recording = this.#options.files.records.settled();
    const isRecorded = recording === undefined || (await settled(recording));
    if (!this.#channel.writable) return;
    try {
      this.#channel.exit(isRecorded ? code : 1);
      this.#channel.end();
    } catch {
      // The connection has just broken.
    }
  }

  async #closeAll(): Promise<void> {
    const closings = this.#handles.takeAll().map(async (handle) => {
      if (handle.kind === 'writing') await handle.file.suspend();
      if (handle.kind === 'growing') await handle.file.close();
      if (handle.kind === 'reading') {
        handle.ahead.forget();
        await handle.file.close();
      }
    });
    const ends = await Promise.allSettled(closings);
    // Running records are awaited; failed ones are repeated once.
    ends.push(...(await Promise.allSettled([this.#options.files.records.settled()])));
    for (const closing of ends) {
      if (closing.status === 'rejected') this.#options.events.operationFailed('abandon', closing.reason);
    }
  }
}

async function settled(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    // The end of the channel repeats it, and reports a failure.
    return false;
  }
}

/** The open file that was opened last in any of the channels. */
export function latestFileOf(channels: Iterable<SftpChannel>): CurrentFile | undefined {
  return [...channels].map(({ latestFile }) => latestFile).findLast((file) => file !== undefined);
}

/** What was received while the channel was paused. */
function unreadOf(channel: ServerChannel): Buffer | undefined {
  try {
    const unread: unknown = channel.read();
    return Buffer.isBuffer(unread) ? unread : undefined;
  } catch {
    // Reading would open the window again, and ssh2 may throw if the connection is closed: it does so before it reads.
    return undefined;
  }
}
