import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** A server that accepts TCP connections and keeps them open. */
export interface TcpPeer {
  readonly server: Server;
  /** The bytes that each connection has received, in the order of the connections. */
  readonly received: readonly Buffer[];
  stop(): void;
}

/** Stands in for the SFTP port of a gateway: sends a banner, as SSH servers do, and keeps what it receives. */
export async function startTcpPeer(): Promise<TcpPeer> {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const index = received.push(Buffer.alloc(0)) - 1;
    sockets.push(socket);
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), chunk]);
      });
    socket.write('SSH-2.0-peer\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    received,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
