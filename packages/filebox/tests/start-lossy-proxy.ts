import { startProxy } from './start-proxy.ts';

/** A way to a database that can lose answers. */
export interface LossyProxy {
  /** The address of the database by this way. */
  url: string;
  /** From now on a client that sends a statement of that text, or name, is cut off once the database has carried it out. */
  loseAnswersTo(statement: string): void;
}

/** Starts one, until the test finishes. */
export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  let lost: string | undefined;
  const url = await startProxy(databaseUrl, (client, upstream) => {
    upstream.on('data', (data) => client.write(data));
    upstream.on('close', () => client.destroy());
    client.on('data', (data: Buffer) => {
      // Cut off when the database has answered, without passing that on and without hanging up on the database.
      if (lost !== undefined && data.includes(lost)) {
        upstream.removeAllListeners('data');
        upstream.on('data', () => client.destroy());
      }
      upstream.write(data);
    });
  });
  return { url, loseAnswersTo: (statement) => (lost = statement) };
}
