import { once } from 'node:events';
import type { Socket } from 'node:net';

/** The head of a response (RFC 3507, section 4.3). */
export interface IcapResponse {
  readonly status: number;
  readonly reason: string;
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** The largest head. */
const headBytesAtMost = 16_384;

/** One connection: sends bytes, and reads the heads of the responses. Bodies are not read: a scan ends before. */
export class IcapExchange {
  readonly #socket: Socket;
  #received = '';
  #error: Error | undefined;
  #onChange = (): void => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#received += bytes.toString('latin1');
      // What comes after a head is no longer of interest, nor is a head without an end.
      if (this.#received.length > headBytesAtMost) socket.pause();
      this.#onChange();
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('it has closed the connection')));
  }

  /** Whether something was received, or nothing will be any more: what is sent then is in vain. */
  get isAnswered(): boolean {
    return this.#received !== '' || this.#error !== undefined;
  }

  /** Sends bytes as the other side takes them. */
  async send(bytes: string | Uint8Array): Promise<void> {
    if (this.#error || this.#socket.destroyed) return;
    if (this.#socket.write(bytes)) return;
    const change = new Promise<void>((resolve) => (this.#onChange = resolve));
    await Promise.race([once(this.#socket, 'drain').catch(() => {}), change]);
  }

  /** The next head. @throws if there is none, or it is no head */
  async read(): Promise<IcapResponse> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end !== -1 && end <= headBytesAtMost) {
        const head = this.#received.slice(0, end);
        this.#received = this.#received.slice(end + 4);
        return parseHead(head);
      }
      if (this.#received.length > headBytesAtMost) throw new Error('its answer is too long');
      if (this.#error) throw this.#error;
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#onChange();
  }
}

function parseHead(head: string): IcapResponse {
  // Lines that begin with a blank continue the header before them: c-icap lists violations so.
  const [first = '', ...lines] = head.replaceAll(/\r\n[\t ]+/gu, ' ').split('\r\n');
  const { status, reason = '' } = /^ICAP\/1\.\d (?<status>\d{3})(?: (?<reason>.*))?$/u.exec(first)?.groups ?? {};
  if (status === undefined) throw new Error('its answer is not ICAP');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const { name, value = '' } = /^(?<name>[^\s:]+):[ \t]*(?<value>.*)$/u.exec(line)?.groups ?? {};
    if (name === undefined) throw new Error('its answer is not ICAP');
    headers.set(name.toLowerCase(), value.trim());
  }
  return { status: Number(status), reason, headers };
}
