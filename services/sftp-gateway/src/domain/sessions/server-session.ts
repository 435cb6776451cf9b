import type { UserName } from '@waybill/contracts/values/user-name';
import { describeClient } from '@waybill/service-kit/network/describe-client';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import type { SessionActivity } from './session-activity.ts';

/** An open SFTP session: one login of one user on one connection. */
export interface ServerSession {
  /** 128 upper-case hexadecimal characters. */
  readonly sessionId: string;
  readonly userName: UserName;
  /** `/address:port`. */
  readonly clientIp: string;
  readonly clientPort: string;
  /** The client's banner, `SSH-2.0-...`. */
  readonly clientVersion: string;
  /** In milliseconds since 1970. */
  readonly openedAt: number;
}

/** The client of an SSH connection, as the audit log names it. */
export function sshClient(address: string, port: number, banner: string): CausingClient {
  const client = describeClient(banner);
  return { address, port, ...(client !== undefined && { client }) };
}

/** The client of a session. */
export function clientOfSession({ clientIp, clientPort, clientVersion }: ServerSession): CausingClient {
  const address = clientIp.slice(1, -clientPort.length - 1).replaceAll(/[[\]]/gu, '');
  return sshClient(address, Number(clientPort), clientVersion);
}

/** The part of a session id that audit records have: enough to tell sessions apart. */
export function auditedSession(sessionId: string): string {
  return sessionId.slice(0, 32);
}

/** How a user logged in, or tried to, for the audit log. */
export interface LoginEvidence {
  /** `password`, `keyboard-interactive` or `publickey`; a key and a password are joined by `+`. */
  readonly authentication: string;
  /** Of the key that signed, as `ssh-keygen -l` prints it. */
  readonly keyFingerprint?: string | undefined;
}

/** A server on one peer of a cluster. */
export interface ServerAddress {
  readonly clusterName: string;
  readonly peerName: string;
  readonly serverName: string;
}

/** An open session, its server and its activity. */
export interface LiveSession {
  readonly server: ServerAddress;
  readonly session: ServerSession;
  readonly activity: SessionActivity;
}

/** A session whose process has died. */
export interface DeadSession {
  readonly sessionId: string;
  readonly peerName: string;
  readonly serverName: string;
  readonly userName: UserName;
  /** Null if an older release has opened the session. */
  readonly client: CausingClient | null;
}
