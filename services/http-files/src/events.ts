import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import { explainDemoPassword } from '@waybill/directory/logins/demo-passwords';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { LoginAttempt } from '@waybill/login-throttle/login-throttle';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { LoginMethod, ProofRefusal } from './domain/logins/login-events.ts';
import type { LoginSession } from './domain/logins/login-sessions.ts';

/** Events for operators that are not in the access log, one function each, as log lines and metrics. */
export function createEvents(logger: Logger, metrics: Metrics) {
  const logins = metrics.counter({
    name: 'waybill_http_logins_total',
    help: 'Login attempts over HTTP',
    labels: ['outcome'],
  });
  const bans = metrics.counter({
    name: 'waybill_http_bans_total',
    help: 'Bans that began after too many failed logins',
    labels: ['subject'],
  });
  const passwords = metrics.counter({
    name: 'waybill_http_password_changes_total',
    help: 'Passwords that users changed over HTTP, or were refused, by the code of the refusal',
    labels: ['outcome'],
  });
  const sshKeys = metrics.counter({
    name: 'waybill_http_ssh_key_changes_total',
    help: 'SSH keys that users added to their accounts or deleted',
    labels: ['change'],
  });
  const secondFactors = metrics.counter({
    name: 'waybill_http_second_factor_changes_total',
    help: 'Second factors that users set up or removed over HTTP, and recovery codes that they replaced',
    labels: ['change'],
  });
  const bytes = metrics.counter({
    name: 'waybill_http_file_bytes_total',
    help: 'Bytes of file content over HTTP',
    labels: ['direction'],
  });
  const resumable = metrics.counter({
    name: 'waybill_http_resumable_uploads_total',
    help: 'Resumable uploads, by outcome: begun, delivered, terminated, checksum_mismatch',
    labels: ['outcome'],
  });
  const forgotten = metrics.counter({
    name: 'waybill_http_receipts_forgotten_total',
    help: 'Upload receipts deleted at the end of their retention',
    labels: [],
  });
  return {
    loggedIn: ({ id: sessionId, userName }: LoginSession, method: LoginMethod) => {
      logins.inc({ outcome: 'accepted' });
      logger.info({ sessionId, userName, method }, 'logged in');
    },
    loginFailed: ({ clientAddress }: LoginAttempt, refusal: ProofRefusal) => {
      logins.inc({ outcome: refusal === 'second_factor_refused' ? refusal : 'refused' });
      // Without the name: it may be a mistyped password.
      logger.warn({ clientAddress }, 'login failed');
    },
    loginTurnedAway: ({ userName }: LoginAttempt, code: ErrorCode) => {
      logins.inc({ outcome: code });
      logger.info({ userName, code }, 'login turned away');
    },
    loginThrottled: ({ clientAddress }: LoginAttempt) => {
      logins.inc({ outcome: 'throttled' });
      logger.warn({ clientAddress }, 'login refused: too many failures');
    },
    secondFactorChanged: (change: 'set' | 'removed' | 'codes_renewed') => secondFactors.inc({ change }),
    passwordChanged: () => passwords.inc({ outcome: 'changed' }),
    sshKeyChanged: (change: 'added' | 'deleted') => sshKeys.inc({ change }),
    passwordRefused: (code: ErrorCode) => passwords.inc({ outcome: code }),
    demoPasswordRefused: (userName: string, exposure: string) =>
      logger.error({ userName }, explainDemoPassword(userName, exposure)),
    loginsBanned: ({ address, userName }: BannedSubject, seconds: number) => {
      const subject = userName === undefined ? 'address' : 'user';
      bans.inc({ subject });
      logger.warn({ address, subject, seconds }, 'logins banned');
    },
    banNotRecorded: (error: unknown) => logger.error({ err: error }, 'the start of a ban could not be audited'),
    loginTimeNotRecorded: (error: unknown) => logger.error({ err: error }, 'the time of a login could not be recorded'),
    loggedOut: ({ id: sessionId, userName }: Pick<LoginSession, 'id' | 'userName'>, reason: string | undefined) =>
      logger.info({ sessionId, userName, reason }, 'logged out'),
    resumableUploadBegun: () => resumable.inc({ outcome: 'begun' }),
    resumableUploadDelivered: () => resumable.inc({ outcome: 'delivered' }),
    resumableUploadTerminated: () => resumable.inc({ outcome: 'terminated' }),
    checksumMismatched: () => {
      resumable.inc({ outcome: 'checksum_mismatch' });
      logger.warn('a part of a resumable upload did not match its checksum');
    },
    receiptsForgotten: (count: number) => {
      if (count === 0) return;
      forgotten.inc(count);
      logger.info({ count }, 'receipts forgotten');
    },
    fileReceived: (size: number) => bytes.inc({ direction: 'in' }, size),
    bytesSent: (count: number) => bytes.inc({ direction: 'out' }, count),
  };
}
