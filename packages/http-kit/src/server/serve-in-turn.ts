import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Serves one request; `awaitsContinue`: its client waits for `100 Continue` before it sends the body. */
export type Serve = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => void;

/** How many requests of one connection may wait before reading pauses. */
const waitingAtMost = 16;

/** The requests of a connection. */
interface Turns {
  last: ServerResponse;
  waiting: number;
}

/**
 * Delays each request of a connection until the previous one has its response. A client may send requests ahead,
 * but they must take effect in their order: a GET after a PUT gets the new content (RFC 9112 section 9.3.2). Node
 * emits all of them as soon as it has read them.
 */
export function serveInTurn(serve: Serve): Serve {
  const connections = new WeakMap<Socket, Turns>();
  return (request, response, awaitsContinue) => {
    const { socket } = request;
    const turns = connections.get(socket);
    connections.set(socket, { last: response, waiting: turns?.waiting ?? 0 });
    if (turns === undefined || turns.last.closed) return serve(request, response, awaitsContinue);
    wait(connections, socket, 1);
    turns.last.once('close', () => {
      wait(connections, socket, -1);
      if (!socket.destroyed) serve(request, response, awaitsContinue);
    });
  };
}

/** Counts the waiting requests, and pauses reading while there are many. */
function wait(connections: WeakMap<Socket, Turns>, socket: Socket, change: 1 | -1): void {
  const turns = connections.get(socket);
  if (turns === undefined) return;
  turns.waiting += change;
  if (turns.waiting > waitingAtMost) socket.pause();
  else if (change < 0 && turns.waiting === waitingAtMost) socket.resume();
}
