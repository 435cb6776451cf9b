import { once } from 'node:events';
import { connect } from 'node:net';
import { Refusal } from '@waybill/private-datastores/refusal';

const connectTimeoutMs = 5000;
const redisPort = 6379;

/**
 * Makes sure that something listens where REDIS_URL points, before anything waits for it.
 * @throws Refusal naming host and port, never the password
 */
export async function assertReachable(redisUrl: string): Promise<void> {
  const url = URL.parse(redisUrl);
  if (url === null || url.hostname === '') {
    throw new Refusal('REDIS_URL is not an address such as redis://:password@127.0.0.1:6379/0.');
  }
  const port = url.port === '' ? redisPort : Number(url.port);
  const socket = connect({ host: url.hostname.replaceAll(/[[\]]/gu, ''), port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
  } catch (err) {
    throw new Refusal(
      `No Redis answers at ${url.hostname}:${port}, where REDIS_URL points: start it, or unset REDIS_URL.`,
      {
        cause: err,
      },
    );
  } finally {
    socket.destroy();
  }
}
