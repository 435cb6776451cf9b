import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import type { GatewayEvents } from '../../events.ts';
import { KeyExchanges, type KeyExchangesOptions } from '../admission/key-exchanges.ts';
import { type ConnectionLogin, SessionChannels } from '../channel/session-channels.ts';
import type { SftpChannelOptions } from '../channel/sftp-channel.ts';
import type { SftpLimits } from '../sftp-limits.ts';
import { disconnectWith, guardReceiveWindow } from '../ssh2/ssh2-internals.ts';
import { ActivityMeter } from '../transfers/activity-meter.ts';

/** What a connection needs. */
export interface SshConnectionOptions extends Memory, Pick<SftpChannelOptions, 'socket' | 'limits' | 'events'> {
  readonly client: Connection;
  readonly exchangeBegan: KeyExchangesOptions['began'];
  readonly exchangeRefused: KeyExchangesOptions['refused'];
}

type Memory = Pick<SftpChannelOptions, 'reclaimer' | 'transferBuffers' | 'openReadAhead'>;

const destroyAfterMs = 250;
/** Responses wait for the socket; what accumulates beyond this are replies that ssh2 sends by itself. */
const unreadFactor = 8;
const accessLost = 'You have no access to this server any more';

/** One SSH connection from its banner to its end, with its channels. */
export class SshConnection {
  readonly #client: Connection;
  readonly #exchanges: KeyExchanges;
  readonly #socket: Socket;
  readonly #limits: SftpLimits;
  readonly #events: GatewayEvents;
  readonly #channels: SessionChannels;
  readonly #closed = Promise.withResolvers<void>();
  /** What the session transfers, and its present file. */
  readonly activity = new ActivityMeter(() => this.#channels.latestFile);
  #isClosed = false;
  #isEnding = false;
  #login: ConnectionLogin | undefined;
  #lastActivityAt = Date.now();
  #leftSocket = 0;

  constructor(options: SshConnectionOptions) {
    const { client, socket, limits, events } = options;
    this.#client = client;
    this.#socket = socket;
    this.#limits = limits;
    this.#events = events;
    this.#exchanges = new KeyExchanges({
      client,
      socket,
      limits,
      isLoggedIn: () => this.#login !== undefined,
      began: options.exchangeBegan,
      refused: (exchange, refusal) => {
        options.exchangeRefused(exchange, refusal);
        this.#break(new Error(refusal.why), refusal.why);
      },
    });
    this.#channels = new SessionChannels({
      ...options,
      activity: this.activity,
      login: () => this.#login,
      isClosed: () => this.#isClosed,
      isEnding: () => this.#isEnding,
      broke: (error) => this.#break(error),
      keyExchange: () => (this.#isClosed ? undefined : this.#exchanges.current),
      onActivity: () => {
        this.#lastActivityAt = Date.now();
      },
      onAccessLost: () => this.end(accessLost),
    });
    client.on('error', (error) => this.#break(error));
    // After either event ssh2 must not be asked to send: its protocol object throws.
    client.on('end', () => this.#stopChannels());
    client.on('close', () => this.#stopChannels());
    client.on('close', () => this.#closed.resolve());
    guardReceiveWindow(client, () => this.#break(new Error('The client sent more than the channel window allows')));
  }

  /** Resolves when the socket is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Whether nothing can be sent any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get login(): ConnectionLogin | undefined {
    return this.#login;
  }

  /** Whether a file is open or a request is being processed. */
  get busy(): boolean {
    return this.#channels.busy;
  }

  /** From here on channels are served, for this user. */
  admit(login: ConnectionLogin): void {
    this.#login = login;
    this.#lastActivityAt = Date.now();
  }

  /**
   * Sends a disconnect message with a text for the user, and closes the socket if the client does not close it
   * promptly.
   */
  end(why?: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (why === undefined) this.#client.end();
    else disconnectWith(this.#client, why);
    setTimeout(() => this.#socket.destroy(), destroyAfterMs).unref();
  }

  /** Ends what is open in the channels. */
  abandon(): Promise<void> {
    return this.#channels.abandon();
  }

  /** To be called about every second: ends idle and stuck connections, and renews keys when they are due. */
  tend(now: number): void {
    const { idleTimeoutMs, unsentBytes } = this.#limits;
    if (this.#socket.writableLength > unsentBytes * unreadFactor) {
      this.#break(new Error('The client does not read what it asks for'));
    }
    if (this.#login === undefined) return;
    this.#noticeProgress(now);
    if (this.#exchanges.isStuck(now)) {
      this.#break(new Error('The client did not finish a key exchange'));
    } else if (now - this.#lastActivityAt > idleTimeoutMs && !this.#channels.working) {
      this.#events.sessionIdle(this.#login.session);
      this.end('Nothing was asked for a long time');
    } else {
      this.#exchanges.renewIfDue(now);
    }
  }

  /**
   * On a very slow line it takes long until the next response fits: bytes that leave the socket meanwhile count as
   * activity too.
   */
  #noticeProgress(now: number): void {
    const { bytesWritten, writableLength } = this.#socket;
    const left = bytesWritten - writableLength;
    if (writableLength > 0 && left !== this.#leftSocket) this.#lastActivityAt = now;
    this.#leftSocket = left;
  }

  #stopChannels(): void {
    this.#isClosed = true;
    this.#channels.stop();
  }

  #break(error: Error, why?: string): void {
    this.#events.connectionBroke(error);
    // ssh2 continues to parse after an error, and accepts the packet length that it has just refused: up to 2 GiB.
    this.#socket.removeAllListeners('data');
    this.end(why);
  }
}
