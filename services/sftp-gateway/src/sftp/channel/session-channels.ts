import type { Socket } from 'node:net';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { AcceptConnection, Connection, RejectConnection, ServerChannel, Session } from 'ssh2';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import type { ServerSession } from '../../domain/sessions/server-session.ts';
import type { GatewayEvents } from '../../events.ts';
import type { SftpLimits } from '../sftp-limits.ts';
import { guardChannelSizes } from '../ssh2/guard-channel-sizes.ts';
import type { ActivityMeter, CurrentFile } from '../transfers/activity-meter.ts';
import { countingEvents } from './counting-events.ts';
import { refuseCommands } from './refuse-commands.ts';
import { latestFileOf, SftpChannel, type SftpChannelOptions } from './sftp-channel.ts';
import { statusOfError } from './status-of-error.ts';

/** A login on a connection: the user, and the session that was opened for it. */
export interface ConnectionLogin {
  readonly user: PartnerUser;
  readonly session: ServerSession;
  readonly files: FileSession;
}

/** What the channels of a connection need. */
export interface SessionChannelsOptions extends Pick<
  SftpChannelOptions,
  'reclaimer' | 'transferBuffers' | 'openReadAhead' | 'keyExchange' | 'onActivity' | 'onAccessLost'
> {
  readonly client: Connection;
  readonly socket: Socket;
  readonly limits: SftpLimits;
  readonly events: GatewayEvents;
  readonly activity: ActivityMeter;
  /** Undefined before the login: no channel is opened then. */
  login(): ConnectionLogin | undefined;
  /** Whether nothing can be sent any more. */
  isClosed(): boolean;
  /** Whether the client was told to disconnect: what it still sends is not written. */
  isEnding(): boolean;
  broke(error: Error): void;
}

/** The session channels of one connection (RFC 4254, section 6): their number, and the SFTP in them. */
export class SessionChannels {
  readonly #options: SessionChannelsOptions;
  readonly #served = new Set<SftpChannel>();
  /** Open channels, and closed ones with requests that are still being processed. */
  #taken = 0;
  #hasToldSize = false;

  constructor(options: SessionChannelsOptions) {
    this.#options = options;
    const { client } = options;
    guardChannelSizes(client, (packetBytes) => this.#tellSize(packetBytes));
    client.on('session', (accept, reject) => this.#open(accept, reject));
  }

  /** Whether a file is open or a request is being processed. */
  get busy(): boolean {
    return [...this.#served].some((channel) => channel.busy);
  }

  /**
   * An open file, or a response that the client does not read, keeps no session alive; a request being processed does.
   */
  get working(): boolean {
    return [...this.#served].some((channel) => channel.working);
  }

  /** The open file that was opened last. */
  get latestFile(): CurrentFile | undefined {
    return latestFileOf(this.#served);
  }

  /** Ends what is open in the channels. */
  async abandon(): Promise<void> {
    await Promise.all([...this.#served].map((channel) => channel.abandon()));
  }

  /** The connection was closed. */
  stop(): void {
    for (const channel of this.#served) void this.#giveUp(channel);
  }

  #open(accept: AcceptConnection<Session>, reject: RejectConnection): void {
    const { login, limits } = this.#options;
    if (login() === undefined || this.#taken >= limits.channels) {
      reject();
      return;
    }
    const session = accept();
    let serving: Promise<void> | undefined;
    this.#taken += 1;
    session.once('close', () => {
      if (serving === undefined) this.#taken -= 1;
      else void serving.finally(() => (this.#taken -= 1));
    });
    refuseCommands(session);
    // There is no reject function if the client wants no reply.
    session.on('subsystem', (acceptChannel, rejectChannel: RejectConnection | undefined, { name }) => {
      const user = login();
      if (name === 'sftp' && user !== undefined) serving = this.#serve(session, acceptChannel(), user);
      else rejectChannel?.();
    });
  }

  /** Resolves when no request of it is being processed any more. */
  async #serve(session: Session, channel: ServerChannel, login: ConnectionLogin): Promise<void> {
    const { socket, limits, events, activity, isClosed, broke, ...options } = this.#options;
    channel.on('error', broke);
    channel.stderr.on('error', () => {});
    try {
      await login.files.access();
    } catch (error) {
      if (!isClosed()) this.#refuse(channel, error);
      return;
    }
    if (isClosed()) return;
    events.channelOpened(login.session);
    const counting = countingEvents(events, activity);
    const served = new SftpChannel({ ...options, channel, socket, files: login.files, limits, events: counting });
    this.#served.add(served);
    session.once('close', () => served.stopAnswering());
    await new Promise((resolve) => channel.once('close', resolve));
    await this.#giveUp(served);
    this.#served.delete(served);
  }

  #refuse(channel: ServerChannel, error: unknown): void {
    if (!isCodedError(error)) this.#options.events.operationFailed('subsystem', error);
    channel.stderr.write(`${statusOfError(error).message}\r\n`);
    channel.exit(1);
    channel.end();
    channel.resume();
  }

  /** A client that was told to disconnect writes nothing more; one that disconnected keeps what has arrived. */
  #giveUp(channel: SftpChannel): Promise<void> {
    return this.#options.isEnding() ? channel.abandon() : channel.leave();
  }

  #tellSize(packetBytes: number): void {
    const login = this.#options.login();
    if (login === undefined || this.#hasToldSize) return;
    this.#hasToldSize = true;
    this.#options.events.channelTooSmall(login.session, packetBytes);
  }
}
