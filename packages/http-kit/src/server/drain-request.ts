import type { IncomingMessage, ServerResponse } from 'node:http';

/** How many bytes a client may send after the response before it is disconnected. */
const drainLimit = { bytes: 16 * 1024 * 1024, timeoutMs: 5_000 };

/**
 * Lets a client read a response that was sent before its body has ended: closing at once would reset the connection.
 * The client may send a little more, which is discarded.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    let drained = 0;
    const cutOff = setTimeout(() => request.destroy(), drainLimit.timeoutMs);
    request.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > drainLimit.bytes) request.destroy();
    });
    request.once('close', () => clearTimeout(cutOff));
    request.resume();
  });
}
