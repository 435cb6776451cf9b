import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/**
 * Stands in for a peer of http-files, with the limit that the services have. `/headers` returns the received
 * headers.
 */
export async function startPeer(): Promise<Server> {
  const peer = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(request.headers));
  });
  peer.on('clientError', (_error, socket) =>
    socket.end('HTTP/1.1 431 Too Large\r\nContent-Length: 19\r\nConnection: close\r\n\r\nthe service says so'),
  );
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  return peer;
}

/** Stops a peer at once. */
export function stopPeer(peer: Server): void {
  peer.close();
  peer.closeAllConnections();
}
