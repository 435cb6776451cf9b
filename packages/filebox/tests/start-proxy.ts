import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a proxy to a database, until the end of the test, and returns the address of the database through it. `join`
 * is called for each connection and forwards the bytes.
 */
export async function startProxy(
  databaseUrl: string,
  join: (client: Socket, upstream: Socket) => void,
): Promise<string> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    join(client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return url.toString();
}
