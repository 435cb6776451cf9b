import type { Socket } from 'node:net';
import { type ClientAddress, parseProxyHeader } from './parse-proxy-header.ts';

/**
 * Removes the PROXY protocol header from the start of a connection and returns the bytes after it to the socket.
 * Resolves with the client's address, which is the proxy's for its own connections (a health check, which the
 * specification requires to be served like any other); with undefined for an invalid header, or an end before it was
 * complete: the caller closes the connection. The login grace time bounds the wait.
 */
export function receiveProxyHeader(socket: Socket, proxy: ClientAddress): Promise<ClientAddress | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const finish = (client: ClientAddress | undefined) => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
      resolve(client);
    };
    const onEnd = () => finish(undefined);
    const onReadable = () => {
      for (let chunk: unknown = socket.read(); chunk instanceof Buffer; chunk = socket.read()) {
        received = Buffer.concat([received, chunk]);
        const header = parseProxyHeader(received);
        if (header.kind === 'incomplete') continue;
        if (header.kind === 'invalid') return finish(undefined);
        if (received.length > header.bytes) socket.unshift(received.subarray(header.bytes));
        return finish(header.kind === 'proxied' ? header.client : proxy);
      }
    };
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
  });
}
