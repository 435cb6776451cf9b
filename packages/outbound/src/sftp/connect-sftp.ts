import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from '@waybill/service-kit/config/secret';
import ssh2, { type Algorithms, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { abortable, openSocket } from '../address/open-socket.ts';
import type { RemoteClient } from '../peer/remote-session.ts';
import { createScrub, type Scrub } from '../peer/scrub-secrets.ts';
import { fingerprintOf, hostKeyPins } from './host-key-pins.ts';
import { createSftpSession } from './sftp-session.ts';

/** The secrets of an SFTP connection, read when it is opened. */
export interface SftpSecrets {
  readonly password?: Secret | undefined;
  readonly privateKey?: Secret | undefined;
  readonly passphrase?: Secret | undefined;
}

/** Nothing with SHA-1, no CBC, no compression. No post-quantum key exchange: the list has classical ones alone. */
const modern = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const satisfies Algorithms;

/**
 * Connects, checks the host key, logs in and opens SFTP, within the timeout of the connection.
 * @throws CodedError `destination_refused` (also for another host key), `connection_failed`, `remote_refused` (the login)
 */
export async function connectSftp(
  { guard, connection }: { guard: DestinationGuard; connection: ConnectionOf<'sftp'> },
  secrets: SftpSecrets,
  signal: AbortSignal,
): Promise<RemoteClient> {
  const timeout = AbortSignal.timeout(connection.connectTimeoutSeconds * 1_000);
  const within = AbortSignal.any([signal, timeout]);
  const client = new ssh2.Client();
  // An error without a listener would end the process; after the connection, sessions learn of its end by `close`.
  client.on('error', () => {});
  try {
    const socket = await openSocket(guard, connection, within);
    const scrub = createScrub([secrets.password, secrets.privateKey, secrets.passphrase]);
    const login = { ...loginOf(connection, secrets), sock: socket };
    const sftp = await abortable(openSession({ client, connection, scrub }, login), within);
    return createClient({ client, connection, scrub }, sftp);
  } catch (cause) {
    client.destroy();
    signal.throwIfAborted();
    if (!timeout.aborted || isCodedError(cause, 'remote_refused', 'destination_refused')) throw cause;
    const detail = `${connection.name}: no login within ${connection.connectTimeoutSeconds} s`;
    throw new CodedError('connection_failed', { detail, cause });
  }
}

function loginOf(connection: ConnectionOf<'sftp'>, { password, privateKey, passphrase }: SftpSecrets): ConnectConfig {
  return {
    username: connection.username,
    ...(password && { password: password.reveal(), tryKeyboard: true }),
    ...(privateKey && { privateKey: privateKey.reveal() }),
    ...(passphrase && { passphrase: passphrase.reveal() }),
  };
}

interface ClientParts {
  readonly client: ssh2.Client;
  readonly connection: ConnectionOf<'sftp'>;
  readonly scrub: Scrub;
}

/** Resolves with the SFTP channel of a client that has logged in. */
function openSession({ client, connection, scrub }: ClientParts, login: ConnectConfig): Promise<SFTPWrapper> {
  const { name, hostKeys, username, idleTimeoutSeconds } = connection;
  const pins = hostKeyPins(hostKeys);
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>();
  let shown: string | undefined;
  const fail = (error: Error & { level?: string }): void => {
    const cause = new Error(scrub.line(error.message));
    if (shown !== undefined) {
      const detail = `${name}: the server has the host key ${shown}, which is not pinned`;
      reject(new CodedError('destination_refused', { detail, cause }));
    } else if (error.level === 'client-authentication') {
      const detail = `${name}: the server refuses the login of ${username}${reminderOf(connection)}`;
      reject(new CodedError('remote_refused', { detail, cause }));
    } else {
      reject(new CodedError('connection_failed', { detail: `${name}: ${cause.message}`, cause }));
    }
  };
  client.on('error', fail);
  client.on('close', () => fail(new Error('the server has closed the connection')));
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
    finish(prompts.map(() => login.password ?? ''));
  });
  client.on('ready', () => {
    client.sftp((error, sftp) => {
      if (error) fail(error);
      else resolve(sftp);
    });
  });
  const hostVerifier = (key: Buffer): boolean => {
    if (pins.matches(key)) return true;
    shown = fingerprintOf(key);
    return false;
  };
  try {
    client.connect({
      ...login,
      hostVerifier,
      algorithms: { ...modern, serverHostKey: pins.algorithms } as Algorithms,
      readyTimeout: 0,
      keepaliveInterval: Math.min(idleTimeoutSeconds * 1_000, 15_000),
      keepaliveCountMax: 3,
    });
  } catch {
    // ssh2 cannot read the private key: its message is left out.
    const detail = `${name}: the private key cannot be used: it is damaged, or its passphrase is another one`;
    reject(new CodedError('remote_refused', { detail }));
  }
  return promise;
}

/** A key that has expired is the likely reason of a refusal. */
function reminderOf({ keyExpires }: ConnectionOf<'sftp'>): string {
  const isOver = keyExpires !== undefined && Date.parse(keyExpires) <= Date.now();
  return isOver ? `; its key has expired: keyExpires is ${keyExpires}` : '';
}

function createClient({ client, connection, scrub }: ClientParts, sftp: SFTPWrapper): RemoteClient {
  const ended = new AbortController();
  const onEnd = (): void => ended.abort();
  client.on('close', onEnd);
  sftp.on('close', onEnd);
  sftp.on('error', onEnd);
  const close = (): void => {
    onEnd();
    client.destroy();
  };
  const idleMs = connection.idleTimeoutSeconds * 1_000;
  const limits = { name: connection.name, idleMs, scrub, ended: ended.signal, close };
  return {
    session: createSftpSession(sftp, limits),
    get isUsable() {
      return !ended.signal.aborted;
    },
    close,
  };
}
