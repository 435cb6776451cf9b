import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import { explainDemoPassword } from '@waybill/directory/logins/demo-passwords';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { SftpProtocolError } from '@waybill/sftp-protocol/wire/sftp-protocol-error';
import type { HttpSession } from './domain/sessions/http-sessions.ts';
import type { DeadSession, ServerSession } from './domain/sessions/server-session.ts';
import type { OwnedUpload } from './domain/uploads/unfinished-uploads.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';

/** A host key that the gateway proved to a client. */
interface ProvedHostKey {
  readonly role: string;
  readonly type: string;
  readonly publicBlob: Buffer;
}

/** The events for operators, one function each. */
export type GatewayEvents = ReturnType<typeof createEvents>;

/** Events as log lines and metrics. */
export function createEvents(logger: Logger, metrics: Metrics) {
  const {
    logins,
    sessions,
    refusals,
    keyExchanges,
    bytes,
    failures,
    hostKeyProofs,
    legacyLogins,
    bans,
    replacements,
    passwordChanges,
  } = createGatewayMetrics(metrics);
  const idsOf = ({ sessionId, userName, clientIp }: ServerSession) => ({ sessionId, userName, client: clientIp });

  return {
    connectionDropped: (address: string) => {
      refusals.inc({ reason: 'flood' });
      logger.debug({ address }, 'connection dropped: too many are not logged in');
    },
    connectionBanned: (address: string) => {
      refusals.inc({ reason: 'banned' });
      logger.debug({ address }, 'connection refused: the address is banned');
    },
    connectionOverBudget: (address: string) => {
      refusals.inc({ reason: 'key_exchanges' });
      logger.debug({ address }, 'connection refused: too many key exchanges without a login');
    },
    exchangesSpent: (address: string) =>
      logger.warn({ address }, 'an address has exchanged keys too often without a login: its connections are refused'),
    keyExchangeBegan: (algorithm: string, origin: string) => keyExchanges.inc({ algorithm, origin }),
    keyExchangeRefused: (
      algorithm: string,
      { address, isLoggedIn, why }: { address: string; isLoggedIn: boolean; why: string },
    ) => {
      keyExchanges.inc({ algorithm, origin: 'refused' });
      if (!isLoggedIn) refusals.inc({ reason: 'key_renewal' });
      logger.info({ address, isLoggedIn, why }, 'key exchange refused');
    },
    loginGraceExpired: (address: string) => {
      refusals.inc({ reason: 'login_grace' });
      logger.info({ address }, 'connection cut: no login in time');
    },
    connectionBroke: (error: Error) => logger.info({ err: error }, 'connection broke'),
    loggedIn: (session: ServerSession, method: string) => {
      logins.inc({ method, outcome: 'accepted' });
      sessions.inc();
      logger.info({ ...idsOf(session), method, clientVersion: session.clientVersion }, 'logged in');
    },
    loginFailed: (userName: UserName, method: string, { address, tries }: { address: string; tries: number }) => {
      logins.inc({ method, outcome: 'refused' });
      logger.warn({ userName, address, tries, method }, 'login failed');
    },
    legacyUsed: (session: ServerSession, algorithms: readonly LegacyAlgorithm[]) => {
      for (const algorithm of algorithms) legacyLogins.inc({ algorithm });
      logger.warn({ ...idsOf(session), algorithms }, 'logged in with old algorithms of SSH');
    },
    legacyUnknown: (error: unknown) =>
      logger.warn({ err: error }, 'the allowed old algorithms of SSH cannot be looked up: none is offered'),
    hostKeyProved: (session: ServerSession, { role, type, publicBlob }: ProvedHostKey) => {
      hostKeyProofs.inc({ role });
      logger.info(
        { ...idsOf(session), role, type, fingerprint: keyFingerprint(publicBlob) },
        'the client has learned a host key',
      );
    },
    loginTurnedAway: (userName: UserName, method: string, reason: CodedError) => {
      logins.inc({ method, outcome: 'turned_away' });
      logger.warn({ userName, method, code: reason.code, reason: reason.message }, 'login turned away');
    },
    passwordChange: (outcome: 'changed' | 'refused') => passwordChanges.inc({ outcome }),
    addressBanned: (subject: BannedSubject, seconds: number) => {
      bans.inc({ subject: subject.userName === undefined ? 'address' : 'user' });
      logger.warn({ ...subject, seconds }, 'logins banned');
    },
    demoPasswordRefused: (userName: string, exposure: string) =>
      logger.error({ userName }, explainDemoPassword(userName, exposure)),
    throttleBroke: (error: unknown) => logger.warn({ err: error }, 'failed logins cannot be counted'),
    channelOpened: (session: ServerSession) => logger.debug(idsOf(session), 'SFTP channel opened'),
    channelTooSmall: (session: ServerSession, packetBytes: number) =>
      logger.info({ ...idsOf(session), packetBytes }, 'channel refused: the client takes packets that are too small'),
    sessionIdle: (session: ServerSession) => logger.info(idsOf(session), 'session ended: idle for too long'),
    sessionClosed: (session: ServerSession) => {
      sessions.dec();
      logger.info({ ...idsOf(session), seconds: Math.round((Date.now() - session.openedAt) / 1000) }, 'session closed');
    },
    sessionTerminated: (session: ServerSession, requestedBy: string) =>
      logger.info({ ...idsOf(session), requestedBy }, 'session terminated'),
    httpSessionEnded: ({ sessionId, userName }: HttpSession, requestedBy: string) =>
      logger.info({ sessionId, userName, requestedBy }, 'session over HTTP ended by an administrator'),
    uploadRemoved: (
      { blobId, userName, path }: Pick<OwnedUpload, 'blobId' | 'userName' | 'path'>,
      requestedBy: string,
    ) => logger.info({ blobId, userName, path, requestedBy }, 'unfinished upload deleted by an administrator'),
    sessionBuried: ({ sessionId, userName, peerName }: DeadSession) =>
      logger.warn({ sessionId, userName, peerName }, 'session ended because its gateway process died'),
    sweepFailed: (error: unknown) => logger.warn({ err: error }, 'sessions of dead gateways cannot be looked for'),
    processEnded: (processNumber: number, reason: string, backOffMs: number) => {
      replacements.inc();
      logger.error({ processNumber, reason, backOffMs }, 'a process has ended and is replaced');
    },
    processSilent: (processNumber: number, error: unknown) =>
      logger.warn({ processNumber, err: error }, 'a process does not report its metrics'),
    protocolViolated: (error: SftpProtocolError) => logger.warn({ err: error }, 'SFTP protocol violated'),
    bytesReceived: (count: number) => bytes.inc({ direction: 'in' }, count),
    bytesSent: (count: number) => bytes.inc({ direction: 'out' }, count),
    operationFailed: (operation: string, error: unknown) => {
      failures.inc({ operation });
      logger.error({ err: error, operation }, 'operation failed');
    },
    registryBroke: (error: unknown) => logger.warn({ err: error }, 'the session registry cannot be reached'),
  };
}
