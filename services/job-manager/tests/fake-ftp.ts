import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Servers that are no FTP servers with TLS. */
export interface FakeFtp extends AsyncDisposable {
  /** Greets, and knows no command. */
  readonly plainPort: number;
  /** Accepts connections, and says nothing. */
  readonly silentPort: number;
  /** What the first one was sent. */
  received(): string;
}

/** Starts them on free ports of the loopback interface. */
export async function startFakeFtp(): Promise<FakeFtp> {
  let received = '';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
  };
  const plain = createServer((socket) => {
    keep(socket);
    socket.write('220 Welcome\r\n');
    socket.on('data', (chunk) => {
      received += chunk.toString();
      socket.write('502 AUTH is not known here\r\n');
    });
  });
  const silent = createServer(keep);
  const [plainPort, silentPort] = [await listen(plain), await listen(silent)];
  return {
    plainPort,
    silentPort,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      for (const server of [plain, silent]) server.close();
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
