import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Directory } from '@waybill/directory/directory';
import type { PartnerUser } from '@waybill/directory/partner-user';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import ssh2 from 'ssh2';
import type { ClientInfo, Connection } from 'ssh2';
import type { FileSession } from '../domain/files/file-session.ts';
import type { ServerSession } from '../domain/sessions/server-session.ts';
import type { SessionAudit } from '../domain/sessions/session-audit.ts';
import type { SessionLifecycle } from '../domain/sessions/session-lifecycle.ts';
import type { GatewayEvents } from '../events.ts';
import { admitSocket, type AdmissionPorts, type AdmittedSocket } from './admit-socket.ts';
import { announceHostKeys } from './announce-host-keys.ts';
import { authenticateConnection } from './authenticate-connection.ts';
import type { BufferReclaimer } from './buffer-reclaimer.ts';
import { findUserByKey } from './find-user-by-key.ts';
import type { HostKey } from './host-key.ts';
import { LiveConnections } from './live-connections.ts';
import type { SftpLimits } from './sftp-limits.ts';
import { sshAlgorithms } from './ssh-algorithms.ts';
import { SshConnection } from './ssh-connection.ts';
import { socketOf } from './ssh2-internals.ts';
import { createStartupGate } from './startup-gate.ts';

/** What an SFTP server is made of. */
export interface SftpServerOptions {
  readonly hostKeys: readonly HostKey[];
  readonly limits: SftpLimits;
  /** True for a peer whose connections begin with a PROXY protocol header. */
  isProxy(address: string): boolean;
  readonly throttle: LoginThrottle;
  readonly bans: Pick<LoginBans, 'isBanned'>;
  readonly directory: Pick<Directory, 'verifyPartnerPassword' | 'findPartnerUser' | 'recordKeyUse'>;
  readonly sessions: SessionLifecycle;
  readonly audit: Pick<SessionAudit, 'loginFailed' | 'turnedAway' | 'terminated'>;
  readonly events: GatewayEvents;
  readonly reclaimer: BufferReclaimer;
  filesOf(login: { readonly user: PartnerUser; readonly sessionId: string }): FileSession;
}

/** An SFTP server that listens once it is told to. */
export interface SftpServer {
  /** Port 0 takes any free one. */
  listen(address: { host: string; port: number }): Promise<{ port: number }>;
  /** Ends a session of this process; false when it has none of that id. Resolves when the client is cut off. */
  terminate(sessionId: string, requestedBy: string): Promise<boolean>;
  /** No new connections from here on; transfers have this long to end. */
  stop(drainTimeoutMs: number): Promise<void>;
}

/** Speaks SSH with ssh2, on sockets that are admitted and kept here. */
export function createSftpServer(options: SftpServerOptions): SftpServer {
  const { events, audit } = options;
  const connections = new LiveConnections();
  const admitted = new WeakMap<Socket, AdmittedSocket>();
  const admission = admissionOf(options);
  const ssh = createSshServer(options);
  ssh.on('connection', (client, info) => {
    const socket = socketOf(client);
    const admission = admitted.get(socket);
    if (admission === undefined) socket.destroy();
    else serveConnection({ client, info, socket, admission }, connections, options);
  });
  const sockets = new Set<Socket>();
  const tcp = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void admitSocket(socket, admission).then((admission) => {
      if (admission === undefined) return;
      admitted.set(socket, admission);
      ssh.injectSocket(socket);
    });
  });

  return {
    listen: async ({ host, port }) => {
      tcp.listen(port, host);
      await once(tcp, 'listening');
      return { port: (tcp.address() as AddressInfo).port };
    },
    terminate: async (sessionId, requestedBy) => {
      const connection = connections.find(sessionId);
      if (connection?.login === undefined) return false;
      connection.end('An operator has ended this session');
      await connection.closed;
      events.sessionTerminated(connection.login.session, requestedBy);
      await audit.terminated(connection.login.session, requestedBy);
      return true;
    },
    stop: async (drainTimeoutMs) => {
      tcp.close();
      await connections.drain(drainTimeoutMs);
      connections[Symbol.dispose]();
      // Those that have not said a word of SSH yet.
      for (const socket of sockets) socket.destroy();
    },
  };
}

function admissionOf({ limits, isProxy, bans, events }: SftpServerOptions): AdmissionPorts {
  const gate = createStartupGate({ limit: limits.unauthenticatedConnections });
  return { gate, loginGraceMs: limits.loginGraceMs, isProxy, bans, events };
}

function createSshServer({ hostKeys, limits }: SftpServerOptions): ssh2.Server {
  return new ssh2.Server({
    hostKeys: hostKeys.filter(({ role }) => role === 'active').map(({ privateKey }) => privateKey),
    algorithms: sshAlgorithms,
    ident: 'Waybill',
    keepaliveInterval: limits.keepaliveIntervalMs,
    keepaliveCountMax: limits.keepaliveMisses,
  });
}

interface NewConnection {
  readonly client: Connection;
  readonly info: ClientInfo;
  readonly socket: Socket;
  readonly admission: AdmittedSocket;
}

function serveConnection(
  { client, info, socket, admission }: NewConnection,
  connections: LiveConnections,
  { hostKeys, limits, events, reclaimer, directory, throttle, sessions, audit, filesOf }: SftpServerOptions,
): void {
  const connection = new SshConnection({ client, socket, limits, events, reclaimer });
  let opening: Promise<ServerSession> | undefined;
  const clearUp = async (): Promise<void> => {
    await connection.closed;
    const session = await opening?.catch(() => undefined);
    const closing = session === undefined ? undefined : sessions.close(session);
    await Promise.all([closing, connection.abandon()]);
    if (session !== undefined) events.sessionClosed(session);
  };
  connections.add(connection, clearUp());
  announceHostKeys(client, hostKeys, (key) => {
    if (connection.login !== undefined) events.hostKeyProved(connection.login.session, key);
  });

  authenticateConnection(client, {
    ...limits,
    judge: (userName, find) => judgeLogin(throttle, { userName, clientAddress: admission.client.address }, find),
    findByPassword: (userName, password) => directory.verifyPartnerPassword(userName, password),
    findByKey: (userName, key) => findUserByKey(directory, userName, key),
    keyUsed: ({ user, key }) =>
      void directory.recordKeyUse(user, key).catch((error: unknown) => events.operationFailed('record-key-use', error)),
    accept: async (user, method) => {
      const { address, port } = admission.client;
      // Checked and begun in one go, so that whoever clears up after the connection knows of the session.
      if (connection.isClosed) throw new Error('The client has gone');
      opening = sessions.open({ user, address, port, version: info.header.identRaw });
      const session = await opening;
      admission.loggedIn();
      connection.admit({ user, session, files: filesOf({ user, sessionId: session.sessionId }) });
      events.loggedIn(session, method);
    },
    failed: async (userName, method, tries) => {
      events.loginFailed(userName, method, { address: admission.client.address, tries });
      await audit.loginFailed(userName).catch((error: unknown) => events.operationFailed('audit', error));
    },
    turnedAway: async (userName, method, reason) => {
      events.loginTurnedAway(userName, method, reason);
      const told = audit.turnedAway(userName, reason.message);
      await told.catch((error: unknown) => events.operationFailed('audit', error));
    },
    broke: (error) => connection.isClosed || events.operationFailed('login', error),
  });
}
