import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import type { SftpLimits } from '../sftp-limits.ts';
import { isExchangingKeys, onKeyExchange, type BeginningExchange } from '../ssh2/ssh2-internals.ts';

/** The cause of an exchange: the first one is for the login, later ones are requested by the server or the client. */
export type ExchangeOrigin = 'login' | 'server' | 'client';

/** What the exchanges of one connection need. */
export interface KeyExchangesOptions {
  readonly client: Connection;
  readonly socket: Socket;
  readonly limits: Pick<SftpLimits, 'rekeyBytes' | 'rekeyIntervalMs'>;
  isLoggedIn(): boolean;
  began(exchange: BeginningExchange, origin: ExchangeOrigin): void;
  /** The client renews keys too often: it must be told the reason and disconnected. */
  refused(exchange: BeginningExchange, refusal: { readonly isLoggedIn: boolean; readonly why: string }): void;
}

const stuckAfterMs = 20_000;
/**
 * RFC 4253, section 9 recommends new keys after a gigabyte or an hour. Some clients are configured to renew them for
 * each mebibyte by their own count, which is slightly ahead of the count here; an exchange then costs what a few such
 * mebibytes do.
 */
const bytesPerRenewal = 512 * 1024;
const msPerRenewal = 60_000;
/** For clients that renew keys right after the login, or whose renewals overlap. */
const renewalsAtOnce = 4;

/**
 * The key exchanges of one connection: the server renews its keys when they are due, and the client may, with a limited
 * rate.
 */
export class KeyExchanges {
  readonly #options: KeyExchangesOptions;
  #current: { readonly startedAt: number; readonly promise: Promise<void>; resolve(): void } | undefined;
  #hasBegun = false;
  #keyedAt = Date.now();
  #keyedBytes = 0;
  #renewals = renewalsAtOnce;
  #countedAt = performance.now();
  #countedBytes = 0;

  constructor(options: KeyExchangesOptions) {
    this.#options = options;
    options.client.on('handshake', () => this.#end());
    onKeyExchange(options.client, (exchange) => this.#mayBegin(exchange));
  }

  /** Settles at the end of the present key exchange, if there is one. */
  get current(): Promise<void> | undefined {
    if (this.#current === undefined && !isExchangingKeys(this.#options.client)) return undefined;
    return this.#track();
  }

  /** Whether the client has not finished an exchange in time. */
  isStuck(now: number): boolean {
    return this.#current !== undefined && now - this.#current.startedAt > stuckAfterMs;
  }

  renewIfDue(now: number): void {
    const { client, limits } = this.#options;
    const isDue = this.#traffic - this.#keyedBytes > limits.rekeyBytes || now - this.#keyedAt > limits.rekeyIntervalMs;
    if (!isDue) return;
    this.#markKeyed();
    client.rekey();
    void this.current;
  }

  get #traffic(): number {
    const { bytesRead, bytesWritten } = this.#options.socket;
    return bytesRead + bytesWritten;
  }

  #mayBegin(exchange: BeginningExchange): boolean {
    const { isLoggedIn, began, refused } = this.#options;
    if (!exchange.isExpected && !isLoggedIn()) {
      refused(exchange, { isLoggedIn: false, why: 'Log in before you renew the keys' });
      return false;
    }
    if (!exchange.isExpected && !this.#takeRenewal()) {
      const why = 'The keys are renewed too often: after 512 KiB or a minute is soon enough';
      refused(exchange, { isLoggedIn: true, why });
      return false;
    }
    const renewing = exchange.isExpected ? 'server' : 'client';
    began(exchange, this.#hasBegun ? renewing : 'login');
    if (this.#hasBegun) void this.#track();
    this.#hasBegun = true;
    return true;
  }

  #takeRenewal(): boolean {
    const now = performance.now();
    const earned = (now - this.#countedAt) / msPerRenewal + (this.#traffic - this.#countedBytes) / bytesPerRenewal;
    this.#renewals = Math.min(renewalsAtOnce, this.#renewals + earned);
    this.#countedAt = now;
    this.#countedBytes = this.#traffic;
    if (this.#renewals < 1) return false;
    this.#renewals -= 1;
    return true;
  }

  #track(): Promise<void> {
    this.#current ??= { startedAt: Date.now(), ...Promise.withResolvers<void>() };
    return this.#current.promise;
  }

  #end(): void {
    this.#markKeyed();
    this.#current?.resolve();
    this.#current = undefined;
  }

  #markKeyed(): void {
    this.#keyedAt = Date.now();
    this.#keyedBytes = this.#traffic;
  }
}
