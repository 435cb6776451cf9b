import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much a client may continue to send after the response, before it is disconnected. */
const drainLimit = { bytes: 16 * 1024 * 1024, timeoutMs: 5_000 };

/**
 * Lets a client that is answered before its body has ended read the answer: closing at once would reset the connection
 * under it. It may send a little more, which is thrown away.
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
