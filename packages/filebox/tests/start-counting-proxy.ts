import { startProxy } from './start-proxy.ts';

/** A proxy to a database that counts bytes. */
export interface CountingProxy {
  /** The address of the database through the proxy. */
  url: string;
  /** Bytes so far, from the client's point of view. */
  counted(): { sent: number; received: number };
}

/** Starts one, until the end of the test. */
export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  let [sent, received] = [0, 0];
  const url = await startProxy(databaseUrl, (client, upstream) => {
    client.on('data', (data) => {
      sent += data.length;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      received += data.length;
      client.write(data);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  return { url, counted: () => ({ sent, received }) };
}
