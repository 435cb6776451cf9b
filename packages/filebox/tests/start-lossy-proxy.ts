import { startProxy } from './start-proxy.ts';

/** A way to a database that can lose answers. */
export interface LossyProxy {
  /** The address of the database by this way. */
  url: string;
  /** From now on whoever sends a statement of that text, or name, is cut off; the database gets it. */
  loseAnswersTo(statement: string): void;
}

/** Starts one, until the test finishes. */
export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  let lost: string | undefined;
  const url = await startProxy(databaseUrl, (client, upstream) => {
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
  return { url, loseAnswersTo: (statement) => (lost = statement) };
}
