import type { UserName } from '@waybill/contracts/values/user-name';

/** The maximum numbers of open sessions, over all peers of the cluster. */
export interface SessionLimits {
  readonly ofServer: number;
  /** Of this user on this server. */
  readonly ofUser: number;
}

/** The slots of open sessions, counted over the whole cluster. The slots of a process that died expire. */
export interface SessionSlots {
  /** @throws CodedError `session_limit_reached`, with the limit in its message */
  take(session: { readonly sessionId: string; readonly userName: UserName }, limits: SessionLimits): Promise<void>;
  /** Releases a slot, which the next session can take immediately. */
  release(sessionId: string): Promise<void>;
}
