import {
  type ClientConnection,
  type ConnectionOf,
  secretFieldsOf,
} from '@waybill/contracts/configuration/connections/client-connection';
import type { OwnedConnection } from '@waybill/directory/directory';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { connectFtps } from '../ftps/connect-ftps.ts';
import { createHttpClient, type HttpClient } from '../http/http-client.ts';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';
import { createConnectionPool, type Lease } from '../limits/connection-pool.ts';
import { createSlots, type Slots } from '../limits/slots.ts';
import type { RemoteClient } from '../peer/remote-session.ts';
import { createLazyS3Opener } from '../s3/lazy-s3-opener.ts';
import type { S3Bucket } from '../s3/s3-client.ts';
import { type Scan, scanContent } from '../scan/scan-content.ts';
import { scanOverIcap } from '../scan/scan-over-icap.ts';
import { connectSftp } from '../sftp/connect-sftp.ts';
import { type Mail, sendMail, type SentMail } from '../smtp/mail-client.ts';
import type { ConnectionState } from './outbound-metrics.ts';
import type { ReadOwnedSecret } from './read-owned-secret.ts';

/** A client connection in use by this process. */
export interface OpenConnection extends Disposable {
  readonly definition: string;
  state(): ConnectionState;
  readonly sftp?: (signal: AbortSignal) => Promise<Lease<RemoteClient>>;
  readonly ftps?: (signal: AbortSignal) => Promise<Lease<RemoteClient>>;
  readonly s3?: (signal: AbortSignal) => Promise<Lease<S3Bucket>>;
  readonly http?: (signal: AbortSignal) => Promise<Lease<HttpClient>>;
  readonly scan?: (content: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<Scan>;
  readonly sendMail?: (mail: Mail, signal: AbortSignal) => Promise<SentMail>;
}

/** What connections have in common. */
export interface ConnectionParts {
  readonly guard: DestinationGuard;
  readonly readSecret: ReadOwnedSecret;
  readonly breaker: CircuitBreaker;
}

/** How long an unused connection is kept open. */
const keepMs = 30_000;

/** Opens what a client connection needs in this process; nothing is connected yet. */
export function openConnection(owned: OwnedConnection, parts: ConnectionParts): OpenConnection {
  const { connection } = owned;
  const { name, maxConnections: limit, waitSeconds } = connection;
  const slots = createSlots(name, { limit, waitMs: waitSeconds * 1_000 });
  const { breaker, guard } = parts;
  const readSecrets = (): Promise<Record<string, Secret>> => readSecretsOf(owned, parts.readSecret);
  const definition = definitionOf(owned);
  const common = (idle: () => number) => ({
    definition,
    state: () => ({ name, inUse: slots.used, idle: idle(), waiting: slots.waiting, isOpen: breaker.isOpen }),
  });
  switch (connection.type) {
    case 'sftp': {
      const open = async (signal: AbortSignal) => connectSftp({ guard, connection }, await readSecrets(), signal);
      const pool = createConnectionPool({ slots, breaker, keepMs, open });
      return { ...common(() => pool.idle), sftp: pool.take, [Symbol.dispose]: () => pool[Symbol.dispose]() };
    }
    case 'ftps': {
      const open = async (signal: AbortSignal) => connectFtps({ guard, connection }, await readSecrets(), signal);
      const pool = createConnectionPool({ slots, breaker, keepMs, open });
      return { ...common(() => pool.idle), ftps: pool.take, [Symbol.dispose]: () => pool[Symbol.dispose]() };
    }
    case 's3': {
      const opener = createLazyS3Opener({ guard, breaker, connection, keepMs, readSecrets });
      const s3 = (signal: AbortSignal): Promise<Lease<S3Bucket>> => leaseInSlot(slots, signal, () => opener.open());
      return { ...common(() => 0), s3, [Symbol.dispose]: () => opener[Symbol.dispose]() };
    }
    case 'http': {
      const client = createHttpClient({ guard, breaker, connection, keepMs, readSecrets });
      const http = (signal: AbortSignal): Promise<Lease<HttpClient>> => leaseInSlot(slots, signal, async () => client);
      return { ...common(() => 0), http, [Symbol.dispose]: () => client[Symbol.dispose]() };
    }
    case 'clamav':
    case 'icap': {
      const scan = async (content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Scan> => {
        using _slot = await slots.take(signal);
        return await scanWith(connection, { guard, breaker }, { content, signal });
      };
      return { ...common(() => 0), scan, [Symbol.dispose]: () => {} };
    }
    case 'smtp':
    default: {
      const send = async (mail: Mail, signal: AbortSignal): Promise<SentMail> => {
        using _slot = await slots.take(signal);
        return await sendMail({ guard, breaker, connection, ...(await readSecrets()) }, mail, signal);
      };
      return { ...common(() => 0), sendMail: send, [Symbol.dispose]: () => {} };
    }
  }
}

function scanWith(
  connection: ConnectionOf<'clamav' | 'icap'>,
  { guard, breaker }: Pick<ConnectionParts, 'guard' | 'breaker'>,
  { content, signal }: { content: AsyncIterable<Uint8Array>; signal: AbortSignal },
): Promise<Scan> {
  if (connection.type === 'icap') return scanOverIcap({ guard, breaker, connection }, content, signal);
  return scanContent({ guard, breaker, connection }, content, signal);
}

/** Lends something whose sockets are shared, in a place of its own. */
async function leaseInSlot<C>(slots: Slots, signal: AbortSignal, open: () => Promise<C>): Promise<Lease<C>> {
  const slot = await slots.take(signal);
  try {
    return { client: await open(), [Symbol.dispose]: () => slot[Symbol.dispose]() };
  } catch (error) {
    slot[Symbol.dispose]();
    throw error;
  }
}

/** Tells whether a connection was changed: another actor with the name of its owner shares no login with it. */
export function definitionOf({ ownerId, connection }: OwnedConnection): string {
  return JSON.stringify([ownerId, connection]);
}

async function readSecretsOf(owned: OwnedConnection, readSecret: ReadOwnedSecret): Promise<Record<string, Secret>> {
  const read = secretFieldsOf(owned.connection satisfies ClientConnection).map(
    async ({ field, reference }) => [field, await readSecret(owned, reference)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}
