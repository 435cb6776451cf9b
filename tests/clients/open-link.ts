import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the server that counts the bytes and breaks when it is told to. */
export interface Link extends AsyncDisposable {
  readonly port: number;
  /** Bytes so far, in both directions. */
  bytes(): number;
  /** The ports that its connections to the server came from. */
  clientPorts(): number[];
  /** Whether it broke. */
  isBroken(): boolean;
}

/**
 * Opens a link to a port of this machine. With `breaksAfter` it breaks after that many bytes, both directions together,
 * and takes no connection any more: for the client at once, for the server when it has taken what was on its way.
 */
export async function openLink(options: { to: number; breaksAfter?: number }): Promise<Link> {
  const { to, breaksAfter = Number.POSITIVE_INFINITY } = options;
  const sockets = new Set<Socket>();
  const clientPorts: number[] = [];
  let bytes = 0;
  const server = createServer((client) => {
    const gateway = connect(to, '127.0.0.1');
    gateway.once('connect', () => clientPorts.push(gateway.localPort ?? 0));
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes < breaksAfter) return;
      server.close();
      client.destroy();
      gateway.end();
    };
    for (const socket of [client, gateway]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('data', count);
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(gateway).pipe(client);
    client.on('close', () => gateway.end());
    gateway.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => bytes,
    clientPorts: () => clientPorts,
    isBroken: () => bytes >= breaksAfter,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
