import type { UserName } from '@waybill/contracts/values/user-name';

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
