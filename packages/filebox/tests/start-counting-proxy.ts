import { startProxy } from './start-proxy.ts';

/** A way to a database that counts what passes. */
export interface CountingProxy {
  /** The address of the database by this way. */
  url: string;
  /** Bytes so far, as the client sees it. */
  counted(): { sent: number; received: number };
}

/** Starts one, until the test finishes. */
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
