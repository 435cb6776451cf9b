import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The bytes that a client must transfer within the timeout: far less than the slowest usable connection transfers. */
const leastBytes = 1024;

/** How often within that time a client is checked: a single check may fall between two reads. */
const looks = 4;

/**
 * Ends a request whose client, for `timeoutMs`, hardly sends its body or reads the response. As long as bytes move,
 * a transfer may take any time, and a slow server does not end it. Returns a function that stops the watch.
 */
export function guardAgainstStalls(request: IncomingMessage, response: ServerResponse, timeoutMs: number): () => void {
  const { socket } = request;
  let moved = bytesMoved(socket);
  let owing = 0;
  const look = (): void => {
    // Once the body is read, which begins before its first byte, the stream flows or waits.
    const owesBody = !request.complete && request.readableFlowing !== null && request.readableLength === 0;
    const leavesAnswer = response.headersSent && (response.writableLength > 0 || socket.writableLength > 0);
    owing = owesBody || leavesAnswer ? owing + 1 : 0;
    if (owing > 0 && owing < looks) return;
    const movedNow = bytesMoved(socket);
    if (owing === looks && movedNow - moved < leastBytes) socket.destroy();
    moved = movedNow;
    owing = 0;
  };
  const timer = setInterval(look, timeoutMs / looks).unref();
  return () => clearInterval(timer);
}

/** Bytes received from or sent to the network: buffered bytes do not count. */
function bytesMoved(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}
