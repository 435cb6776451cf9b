import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network that breaks: what a client sends to `url` reaches the platform, until a limit of bytes is reached. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Connections are reset once this many bytes have passed in one direction; the next ones get the next limit. */
  cutAfter(...limits: readonly number[]): void;
  /** The next responses get lost: the platform has sent them, and the client gets a connection that is reset instead. */
  loseResponses(count: number): void;
  /** Bytes that have passed in both directions. */
  passed(): number;
  /** How many connections were cut. */
  cuts(): number;
}

/** Starts a proxy in front of `target`. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let limits: number[] = [];
  let responsesToLose = 0;
  let cuts = 0;
  let passed = 0;
  const server = createServer((client) => {
    const platform = connect(Number(port), hostname);
    const pass = (from: Socket, to: Socket): void => {
      let bytes = 0;
      from.on('data', (chunk) => {
        bytes += chunk.length;
        passed += chunk.length;
        const [limit = Infinity] = limits;
        const isLost = from === platform && responsesToLose > 0;
        if (isLost || bytes >= limit) {
          if (isLost) responsesToLose -= 1;
          else limits.shift();
          cuts += 1;
          client.resetAndDestroy();
          platform.destroy();
        } else if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    };
    for (const socket of [client, platform]) sockets.add(socket);
    pass(client, platform);
    pass(platform, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: (...next) => {
      limits = [...next];
    },
    loseResponses: (count) => {
      responsesToLose = count;
    },
    passed: () => passed,
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
