import type { Logger } from '@waybill/service-kit/telemetry/logger';
import pg from 'pg';
import { listenerPrefix } from './connection-declaration.ts';

/** The channel, and the callback. */
export interface ListenOptions {
  url: string;
  channel: string;
  logger: Logger;
  /** Called for each notification, and with an empty payload whenever some may have been missed. */
  onNotify(payload: string): void;
}

/**
 * Listens for notifications of a channel on a separate connection, until it is disposed of. A lost connection is
 * opened again after a second, as often as necessary.
 */
export async function listen(options: ListenOptions): Promise<AsyncDisposable> {
  const { logger, onNotify } = options;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const fresh = await openListener(options, () => {
      client = undefined;
      if (!closed) retry = setTimeout(reconnect, 1_000);
    });
    if (closed) return fresh.end();
    client = fresh;
    onNotify('');
  };
  const reconnect = (): void => {
    connect().catch((error: unknown) => {
      logger.warn({ err: error }, 'cannot listen for notifications: trying again');
      if (!closed) retry = setTimeout(reconnect, 1_000);
    });
  };

  await connect();
  return {
    [Symbol.asyncDispose]: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

async function openListener({ url, channel, logger, onNotify }: ListenOptions, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `${listenerPrefix}${channel}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', (error) => logger.warn({ err: error }, 'the listening connection was lost'));
  client.on('notification', ({ payload }) => onNotify(payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  client.once('end', onLost);
  return client;
}
