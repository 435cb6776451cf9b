import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { BodyMemory } from './body-memory.ts';
import { canReadSocketInto, readSocketInto, type SocketReader } from './socket-reading.ts';

/** What a client may go on sending after it has been answered, before it is cut off. */
const ignoredBytesAtMost = 16 * 1024 * 1024;

/** True when `receiveInto` can take the body: its length is known and its connection can be read like that. */
export function canReceiveInto(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return length !== undefined && coding === undefined && !request.readableDidRead && canReadSocketInto(request);
}

/**
 * The chunks of a body, received into memory without a copy in between. The connection ends with the answer. `onWait` hears
 * when nothing is taken from the client, and when it is again.
 * @throws what the body fails with
 */
export async function* receiveInto(
  request: IncomingMessage,
  response: ServerResponse,
  memory: BodyMemory,
  onWait: (waits: boolean) => void,
): AsyncGenerator<Uint8Array> {
  const body = new ReceivedBody({ request, response, memory, onWait });
  try {
    yield* body.chunks();
    // It has ended, though the parser does not know: the connection cannot be read any more.
    request.complete = true;
    response.setHeader('Connection', 'close');
  } finally {
    body.ignoreRest();
  }
}

interface ReceivedBodyParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly memory: BodyMemory;
  onWait(waits: boolean): void;
}

/** One body on its way in: blocks are filled in turns while those before them are in use. */
class ReceivedBody implements SocketReader {
  readonly #parts: ReceivedBodyParts;
  readonly #request: IncomingMessage;
  readonly #memory: BodyMemory;
  readonly #scratch = Buffer.allocUnsafeSlow(64 * 1024);
  #left: number;
  #filling = 0;
  #filledBytes = 0;
  #full: { index: number; bytes: number }[] = [];
  #waits = false;
  #ignoredBytes: number | undefined;
  #end: { error: Error } | undefined;
  #readInto: ((memory: Buffer) => void) | undefined;
  #wake = (): void => {};

  constructor(parts: ReceivedBodyParts) {
    this.#parts = parts;
    this.#request = parts.request;
    this.#memory = parts.memory;
    this.#left = Number(parts.request.headers['content-length']);
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    this.#takeEarly();
    this.#readInto = readSocketInto(this.#request, this);
    if (!this.#readInto) throw new Error('the connection cannot be read');
    this.#parts.onWait(false);
    const stopWatching = finished(this.#request, { writable: false }, (error) => {
      this.#end = { error: error ?? new Error('the body has ended early') };
      this.#wake();
    });
    this.#request.socket.resume();
    try {
      for (;;) {
        for (let next; (next = this.#full.shift());) yield this.#memory.lend(next.index, next.bytes);
        if (this.#isWhole()) return;
        if (this.#end) throw this.#end.error;
        if (this.#waits) await this.#goOn();
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      stopWatching();
    }
  }

  target(): Buffer {
    const block = this.#memory.blocks[this.#filling];
    if (this.#ignoredBytes !== undefined || !block || this.#left === 0) return this.#scratch;
    return block.subarray(this.#filledBytes, Math.min(block.length, this.#filledBytes + this.#left));
  }

  onBytes(bytes: number): boolean {
    if (this.#ignoredBytes !== undefined) return this.#ignore(bytes);
    // What was read nevertheless has overwritten what was in use.
    if (this.#waits || bytes > this.#left) this.#request.destroy(new Error('bytes came out of turn'));
    this.#filledBytes += bytes;
    this.#left -= bytes;
    const isFull = this.#filledBytes === this.#memory.blocks[this.#filling]?.length;
    if (!isFull && this.#left > 0) return true;
    this.#full.push({ index: this.#filling, bytes: this.#filledBytes });
    this.#filledBytes = 0;
    this.#filling = (this.#filling + 1) % this.#memory.blocks.length;
    this.#waits = this.#left > 0 && this.#isInUse(this.#filling);
    if (this.#waits) this.#parts.onWait(true);
    this.#wake();
    return this.#left > 0 && !this.#waits;
  }

  /** Lets a client that is answered early send on, a little. */
  ignoreRest(): void {
    if (this.#left === 0 || this.#request.destroyed) return;
    this.#ignoredBytes = 0;
    // At once: the block that is being filled may be somebody else's next.
    this.#readInto?.(this.#scratch);
    this.#parts.onWait(false);
    this.#request.socket.resume();
  }

  #ignore(bytes: number): boolean {
    this.#left -= bytes;
    this.#ignoredBytes = (this.#ignoredBytes ?? 0) + bytes;
    if (this.#left > 0 && this.#ignoredBytes <= ignoredBytesAtMost) return true;
    const { response } = this.#parts;
    if (response.writableFinished) this.#request.destroy();
    else response.once('finish', () => this.#request.destroy());
    return false;
  }

  /** Puts what came with the headers where the rest will follow. */
  #takeEarly(): void {
    for (let chunk: unknown; (chunk = this.#request.read()) !== null;) {
      if (!Buffer.isBuffer(chunk)) throw new Error('the body is being read as text');
      for (let rest = chunk; rest.length > 0;) {
        const bytes = rest.copy(this.target());
        this.onBytes(bytes);
        rest = rest.subarray(bytes);
      }
    }
  }

  #isWhole(): boolean {
    return this.#left === 0 && this.#full.length === 0;
  }

  /** In use, or about to be. */
  #isInUse(index: number): boolean {
    return this.#memory.whenFree(index) !== undefined || this.#full.some((next) => next.index === index);
  }

  async #goOn(): Promise<void> {
    await this.#memory.whenFree(this.#filling);
    this.#waits = false;
    this.#parts.onWait(false);
    this.#request.socket.resume();
  }
}
