import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to a database that can lose answers. */
export interface LossyProxy {
  /** The address of the database by this way. */
  url: string;
  /** From now on whoever sends a statement of that text, or name, is cut off; the database gets it. */
  loseAnswersTo(statement: string): void;
}

/** Starts one, until the test finishes. */
export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    upstream.on('data', (data) => client.write(data));
    upstream.on('close', () => client.destroy());
    client.on('data', (data: Buffer) => {
      // Cut off before the answer can come, yet without hanging up on the database, which would rather roll back.
      if (lost !== undefined && data.includes(lost)) {
        upstream.removeAllListeners('data');
        upstream.resume();
        upstream.write(data, () => client.destroy());
      } else {
        upstream.write(data);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.toString(), loseAnswersTo: (statement) => (lost = statement) };
}
