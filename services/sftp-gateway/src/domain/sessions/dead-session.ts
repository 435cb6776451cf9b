import type { UserName } from '@waybill/contracts/values/user-name';

/** A session whose process has died. */
export interface DeadSession {
  readonly sessionId: string;
  readonly peerName: string;
  readonly serverName: string;
  readonly userName: UserName;
}
