import { startProxy } from './start-proxy.ts';

/** A proxy to a database that can lose responses. */
export interface LossyProxy {
  /** The address of the database through the proxy. */
  url: string;
  /**
   * From now on a client that sends a statement with that text, or name, is disconnected after the database has
   * executed it.
   */
  loseAnswersTo(statement: string): void;
}

/** Starts one, until the end of the test. */
export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  let lost: string | undefined;
  const url = await startProxy(databaseUrl, (client, upstream) => {
    upstream.on('data', (data) => client.write(data));
    upstream.on('close', () => client.destroy());
    client.on('data', (data: Buffer) => {
      // Closed when the database has responded, without forwarding the response and without closing the connection to
      // the database.
      if (lost !== undefined && data.includes(lost)) {
        upstream.removeAllListeners('data');
        upstream.on('data', () => client.destroy());
      }
      upstream.write(data);
    });
  });
  return { url, loseAnswersTo: (statement) => (lost = statement) };
}
