import type { Socket } from 'node:net';
import { dataHeaderBytes, encodeDataHeader } from '@waybill/sftp-protocol/responses/encode-data-header';
import { encodeResponse } from '@waybill/sftp-protocol/responses/encode-response';
import type { ServerChannel } from 'ssh2';
import type { Reply } from '../operations/operation.ts';

/** What responses are sent through. */
export interface ReplySenderOptions {
  readonly channel: ServerChannel;
  readonly socket: Socket;
  /** The limit of bytes buffered in the socket. */
  readonly unsentBytes: number;
  /** Settles at the end of the present key exchange; undefined without one. */
  keyExchange(): Promise<void> | undefined;
}

const copiedPayloadBytes = 4096;

/**
 * Sends responses at the pace of the client. A response counts as sent when the client's SSH window has taken it, no
 * key exchange delays it, and the socket holds at most `unsentBytes`: ssh2 itself queues without a limit.
 */
export class ReplySender {
  readonly #options: ReplySenderOptions;
  readonly #waiting = new Set<() => void>();
  #drain: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ReplySenderOptions) {
    this.#options = options;
  }

  /** Nothing is sent from here on; waiting calls resolve. ssh2 never calls back for a write to a closed channel. */
  close(): void {
    this.#isClosed = true;
    for (const goOn of this.#waiting) goOn();
  }

  /** Resolves when it is sent, or can no longer be. Responses are sent in the order of the calls. */
  async send(response: Reply): Promise<void> {
    if (response.type === 'data' && response.buffer !== undefined) {
      const { packet, release } = response.buffer;
      encodeDataHeader(response.id, response.data.length, packet);
      await this.#write(packet.subarray(0, dataHeaderBytes + response.data.length), release);
    } else if (response.type === 'data' && response.data.length > copiedPayloadBytes) {
      const header = this.#write(encodeDataHeader(response.id, response.data.length));
      await Promise.all([header, this.#write(response.data)]);
    } else {
      await this.#write(encodeResponse(response));
    }
    const { socket, unsentBytes, keyExchange } = this.#options;
    const exchange = keyExchange();
    if (exchange !== undefined) await this.#until((goOn) => void exchange.then(goOn));
    while (!this.#isClosed && socket.writableLength > unsentBytes) {
      // All waiting calls share one listener.
      this.#drain ??= this.#until((goOn) => socket.once('drain', goOn)).finally(() => {
        this.#drain = undefined;
      });
      await this.#drain;
    }
  }

  /** `release` is called when ssh2 has copied the bytes into packets, and not if the connection breaks before that. */
  async #write(bytes: Buffer, release?: () => void): Promise<void> {
    const { channel } = this.#options;
    if (!channel.writable) return;
    await this.#until((goOn) => {
      try {
        channel.write(bytes, (error) => {
          if (!error) release?.();
          goOn();
        });
      } catch {
        // The connection has just broken: ssh2 then throws. Its close event follows.
        this.close();
      }
    });
  }

  /**
   * Waits for the work that `begin` starts, or for the close. A race with one long-lived promise would retain every
   * loser.
   */
  #until(begin: (goOn: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      const goOn = (): void => {
        this.#waiting.delete(goOn);
        resolve();
      };
      this.#waiting.add(goOn);
      begin(goOn);
    });
  }
}
