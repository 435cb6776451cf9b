import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Where the bytes of a connection go once the parser has read the headers. */
export interface SocketReader {
  /** The memory that the next bytes are read into. */
  target(): Buffer;
  /** So many bytes are there; answers false to have no more for now: `resume` on the socket goes on. */
  onBytes(bytes: number): boolean;
}

/** Under what a socket of this Node keeps what its option `onread` says. */
interface ReadingKeys {
  readonly buffer: symbol;
  readonly makeBuffer: symbol;
  readonly onBytes: symbol;
}

const keys = findKeys();

/**
 * Has a connection's bytes read into memory of the reader instead of into new memory of the parser, which copies them, too: as
 * `onread` does for a socket that one makes oneself. It is for a body of known length, which the parser never sees, so that
 * the connection is of no use afterwards. Answers what has the next bytes read into other memory than they would be;
 * nothing, and nothing is done, where all this cannot be: with TLS, or a Node that keeps these things elsewhere.
 */
export function readSocketInto(
  { socket }: IncomingMessage,
  reader: SocketReader,
): ((memory: Buffer) => void) | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (!isReadableSocket(socket) || !canUseBuffer(handle) || keys === undefined) return undefined;
  const { buffer, makeBuffer, onBytes } = keys;
  // Whoever listens for data takes the connection away from the parser.
  const nobody = (): void => {};
  socket.on('data', nobody).off('data', nobody);
  const readInto = (memory: Buffer): void => {
    Reflect.set(socket, buffer, memory);
    handle.useUserBuffer(memory);
  };
  Reflect.set(socket, onBytes, (bytes: number) => reader.onBytes(bytes));
  Reflect.set(socket, makeBuffer, () => reader.target());
  readInto(reader.target());
  return readInto;
}

/** True when `readSocketInto` would do it. */
export function canReadSocketInto({ socket }: IncomingMessage): boolean {
  return isReadableSocket(socket) && canUseBuffer(Reflect.get(socket, '_handle')) && keys !== undefined;
}

function isReadableSocket(socket: Socket): boolean {
  return !('encrypted' in socket) && !socket.destroyed && socket.readable;
}

function canUseBuffer(handle: unknown): handle is { useUserBuffer(buffer: Buffer): void } {
  return (
    typeof handle === 'object' &&
    handle !== null &&
    'useUserBuffer' in handle &&
    typeof handle.useUserBuffer === 'function'
  );
}

/** Looks for them in sockets that are not connected to anything. */
function findKeys(): ReadingKeys | undefined {
  const given = Buffer.alloc(1);
  const makeBuffer = (): Buffer => given;
  const callback = (): boolean => true;
  const fixed = new Socket({ onread: { buffer: given, callback } });
  const changing = new Socket({ onread: { buffer: makeBuffer, callback } });
  const keyOf = (socket: Socket, value: unknown) =>
    Object.getOwnPropertySymbols(socket).find((key) => Reflect.get(socket, key) === value);
  const found = {
    buffer: keyOf(fixed, given),
    makeBuffer: keyOf(changing, makeBuffer),
    onBytes: keyOf(fixed, callback),
  };
  fixed.destroy();
  changing.destroy();
  const { buffer, makeBuffer: make, onBytes } = found;
  return buffer && make && onBytes && { buffer, makeBuffer: make, onBytes };
}
