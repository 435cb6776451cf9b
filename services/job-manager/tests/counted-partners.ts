import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientConnectionSchema } from '@waybill/contracts/configuration/connections/client-connection';
import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import { createDestinationGuard } from '@waybill/outbound/address/destination-guard';
import { openConnection, type OpenConnection } from '@waybill/outbound/connections/open-connection';
import type { ReadOwnedSecret } from '@waybill/outbound/connections/read-owned-secret';
import { breakerLimits, createCircuitBreaker } from '@waybill/outbound/limits/circuit-breaker';
import { Secret } from '@waybill/service-kit/config/secret';
import { createTestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { startProftpd } from '@waybill/test-kit/proftpd/start-proftpd';
import { SMTPServer } from 'smtp-server';

/** Connections that a partner has seen. */
export interface SeenConnections {
  open: number;
  most: number;
  total: number;
}

/** The types of connections whose limits are tested. */
export const countedTypes = ['sftp', 'ftps', 's3', 'http', 'smtp'] as const;

/** One of them. */
export type CountedType = (typeof countedTypes)[number];

/** What a connection of a type needs besides its destination. */
interface Partner {
  readonly port: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

const stop = new AsyncDisposableStack();

/** Ends all partners. */
export const stopPartners = (): Promise<void> => stop.disposeAsync();

const starting: Readonly<Record<CountedType, () => Promise<Partner>>> = {
  sftp: async () => {
    const { port, userName: username, hostKey, privateKey } = stop.use(await startOpensshServer());
    const settings = { host: '127.0.0.1', username, hostKeys: [hostKey], privateKey: 'secret://key' };
    return { port, settings, secrets: { key: privateKey } };
  },
  ftps: async () => {
    const { port, userName: username, password, certificate } = stop.use(await startProftpd());
    const settings = {
      host: 'localhost',
      username,
      certificateAuthorities: certificate,
      password: 'secret://password',
    };
    return { port, settings, secrets: { password } };
  },
  s3: async () => {
    const { endpoint, bucket, region, credentials } = stop.use(await createTestObjectStore());
    const keys = { accessKeyId: 'secret://accessKeyId', secretAccessKey: 'secret://secretAccessKey' };
    const settings = { bucket, region, pathStyle: true, ...keys };
    return { port: Number(new URL(endpoint).port), settings, secrets: credentials };
  },
  http: async () => {
    const server = createHttpServer((request, response) => void request.resume().on('end', () => response.end('yes')));
    return { port: await listening(server), settings: {}, secrets: {} };
  },
  smtp: async () => {
    const options = { authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], logger: false };
    const smtp = new SMTPServer({
      ...options,
      onData: (stream, _session, done) => void stream.resume().on('end', done),
    });
    smtp.on('error', () => {});
    const settings = { host: '127.0.0.1', from: 'a@example.org', security: 'none' };
    return { port: await listening(smtp.server), settings, secrets: {} };
  },
};

/** A partner that works, behind a proxy that counts connections. */
export async function startCountedPartner(type: CountedType): Promise<{ partner: Partner; seen: SeenConnections }> {
  const partner = await starting[type]();
  const seen: SeenConnections = { open: 0, most: 0, total: 0 };
  const proxy = createServer((near) => {
    count(seen, near);
    const far = connect(partner.port, '127.0.0.1').on('error', () => near.destroy());
    near
      .on('error', () => far.destroy())
      .pipe(far)
      .pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  return { partner: { ...partner, port: await listening(proxy) }, seen };
}

/** A partner that accepts connections, and never says a word. */
export async function startSilentPartner(): Promise<{ port: number; seen: SeenConnections }> {
  const seen: SeenConnections = { open: 0, most: 0, total: 0 };
  const server = createServer((socket) => count(seen, socket.on('error', () => {}).resume()));
  return { port: await listening(server), seen };
}

function count(seen: SeenConnections, socket: Socket): void {
  seen.open += 1;
  seen.total += 1;
  // The end of a connection before it may have arrived, and not have been noticed yet.
  setTimeout(() => (seen.most = Math.max(seen.most, seen.open)), 5);
  let isOver = false;
  const end = (): void => {
    if (!isOver) seen.open -= 1;
    isOver = true;
  };
  socket.on('end', end).on('close', end);
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a client connection whose circuit breaker has its own clock. */
export function connectTo(
  type: CountedType,
  { port, settings, secrets }: Partner,
  more: { readonly clock?: () => number } & Readonly<Record<string, unknown>>,
): OpenConnection {
  const { clock = () => 0, ...limits } = more;
  const address = type === 'http' ? { url: `http://127.0.0.1:${port}` } : { port };
  const destination = type === 's3' ? { endpoint: `http://127.0.0.1:${port}` } : address;
  const connection = clientConnectionSchema.parse({ name: type, type, ...destination, ...settings, ...limits });
  const readSecret: ReadOwnedSecret = (_owner, reference) =>
    Promise.resolve(new Secret(secrets[secretNameIn(reference)] ?? 'x'));
  const guard = createDestinationGuard({ allowedHosts: ['*'], allowedNetworks: ['127.0.0.0/8', '::1/128'] });
  const breaker = createCircuitBreaker(type, breakerLimits, clock);
  return openConnection({ owner: '', ownerId: null, connection }, { guard, readSecret, breaker });
}

const mail = { to: ['b@example.org'], cc: [], subject: 's', text: 't', attachments: [] };
const heldMs = 30;

/** Uses a connection as a step does: something is transferred, and the connection is held for a moment. */
export async function useOnce(connection: OpenConnection, number: number): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  if (connection.sendMail) {
    await connection.sendMail({ ...mail, messageId: `<${number}@example.org>` }, signal);
  } else if (connection.http) {
    using lease = await connection.http(signal);
    const request = { method: 'GET', path: '/', headers: {}, idempotencyKey: String(number) } as const;
    using exchange = await lease.client.send(request, signal);
    await Readable.from(exchange.content()).toArray();
    await sleep(heldMs);
  } else {
    const take = connection.sftp ?? connection.ftps ?? connection.s3;
    if (!take) throw new Error('There is nothing to use');
    using lease = await take(signal);
    const { session } = lease.client;
    await session.list('/', () => false, signal);
    await sleep(heldMs);
  }
}
