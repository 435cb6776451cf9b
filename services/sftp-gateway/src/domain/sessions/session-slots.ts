import type { UserName } from '@waybill/contracts/values/user-name';

/** How many sessions may be open at a time, over all peers of the cluster. */
export interface SessionLimits {
  readonly ofServer: number;
  /** Of this user on this server. */
  readonly ofUser: number;
}

/** The places that sessions take, counted over the whole cluster. What a process that died has taken comes back by itself. */
export interface SessionSlots {
  /** @throws CodedError `session_limit_reached`, which says which of the limits it is */
  take(session: { readonly sessionId: string; readonly userName: UserName }, limits: SessionLimits): Promise<void>;
  /** Gives a place back, for the next one to take at once. */
  release(sessionId: string): Promise<void>;
}
