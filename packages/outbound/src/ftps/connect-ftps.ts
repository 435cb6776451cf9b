import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from '@waybill/service-kit/config/secret';
import { Client } from 'basic-ftp';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { abortable, openSocket } from '../address/open-socket.ts';
import type { RemoteClient } from '../peer/remote-session.ts';
import { createScrub } from '../peer/scrub-secrets.ts';
import { ftpsFailure } from './ftps-call.ts';
import { createFtpsSession } from './ftps-session.ts';
import { createDataConnections } from './open-data-connection.ts';
import { certificateRules, secureSocket } from './secure-socket.ts';

/** The secrets of an FTPS connection, read when it is opened. */
export interface FtpsSecrets {
  readonly password?: Secret | undefined;
}

interface FtpsParts {
  readonly guard: DestinationGuard;
  readonly connection: ConnectionOf<'ftps'>;
}

/** A list of about 100 000 files. */
const listingBytesAtMost = 16 * 1024 * 1024;

/**
 * Connects, begins TLS, checks the certificate and logs in, within the timeout of the connection. Nothing but `AUTH TLS` is sent
 * without TLS, and data connections always have it.
 * @throws CodedError `destination_refused` (also for another certificate), `connection_failed`, `remote_refused` (no TLS, the
 * login)
 */
export async function connectFtps(
  { guard, connection }: FtpsParts,
  { password }: FtpsSecrets,
  signal: AbortSignal,
): Promise<RemoteClient> {
  const { name, idleTimeoutSeconds, connectTimeoutSeconds } = connection;
  const timeout = AbortSignal.timeout(connectTimeoutSeconds * 1_000);
  const within = AbortSignal.any([signal, timeout]);
  const client = new Client(idleTimeoutSeconds * 1_000, {
    allowSeparateTransferHost: false,
    maxListingBytes: listingBytesAtMost,
  });
  const scrub = createScrub([password]);
  try {
    await openControl({ guard, connection, client }, within);
    await abortable(logIn(client, connection, password?.reveal() ?? ''), within);
  } catch (cause) {
    client.close();
    signal.throwIfAborted();
    if (isCodedError(cause, 'destination_refused')) throw cause;
    if (!timeout.aborted) throw ftpsFailure({ name, scrub }, `log in as ${connection.username}`, cause);
    const detail = `${name}: no login within ${connectTimeoutSeconds} s`;
    throw new CodedError('connection_failed', { detail, cause });
  }
  return {
    session: createFtpsSession({ name, client, scrub }),
    get isUsable() {
      return !client.closed;
    },
    close: () => client.close(),
  };
}

/** Opens the control connection with TLS, and reads the greeting. */
async function openControl(
  { guard, connection, client }: FtpsParts & { client: Client },
  signal: AbortSignal,
): Promise<void> {
  const { name, host, security, connectTimeoutSeconds } = connection;
  const isImplicit = security === 'implicit';
  const port = connection.port ?? (isImplicit ? 990 : 21);
  const rules = certificateRules(connection);
  const socket = await openSocket(guard, { host, port }, signal);
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (isImplicit) {
      client.ftp.socket = await secureSocket(socket, rules);
      await readGreeting(client);
    } else {
      client.ftp.socket = socket;
      await readGreeting(client);
      await client.send('AUTH TLS');
      socket.removeAllListeners('data');
      client.ftp.socket = await secureSocket(socket, rules);
    }
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  client.ftp.tlsOptions = rules.options;
  client.prepareTransfer = createDataConnections({ name, rules, timeoutMs: connectTimeoutSeconds * 1_000 });
}

/** The reply that the server sends without being asked. */
async function readGreeting(client: Client): Promise<void> {
  await client.ftp.handle(undefined, (response, task) => {
    if (response instanceof Error) task.reject(response);
    else if (response.code >= 200 && response.code < 300) task.resolve(response);
    else if (response.code >= 300) task.reject(new Error(`the server greets with ${response.message}`));
  });
}

async function logIn(client: Client, { username }: ConnectionOf<'ftps'>, password: string): Promise<void> {
  if (/[\r\n\0]/u.test(`${username}${password}`)) {
    throw new CodedError('validation_failed', { detail: 'The user name or the password has a line end' });
  }
  await client.login(username, password);
  // Data connections without TLS are never accepted.
  await client.send('PBSZ 0');
  await client.send('PROT P');
  await client.useDefaultSettings();
}
