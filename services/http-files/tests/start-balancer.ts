import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several peers, like that of a load balancer. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** New connections go to this peer. */
  pointTo(peerUrl: string): void;
  /** After this many bytes from clients, forwards nothing more until `act` is done, then closes the connections. */
  interruptAfter(byteCount: number, act: () => Promise<void>): void;
}

/** Starts one. */
export async function startBalancer(peerUrl: string): Promise<Balancer> {
  let target = new URL(peerUrl);
  let interruption: { left: number; act: () => Promise<void> } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, opposite] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => opposite.destroy());
    }
    upstream.pipe(client);
    client.on('data', (data: Buffer) => {
      upstream.write(data);
      if (interruption === undefined || (interruption.left -= data.length) > 0) return;
      const { act } = interruption;
      interruption = undefined;
      client.pause();
      void act().finally(() => client.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pointTo: (url) => (target = new URL(url)),
    interruptAfter: (left, act) => (interruption = { left, act }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
