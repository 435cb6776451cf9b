import type { UserName } from '@waybill/contracts/values/user-name';
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
}
