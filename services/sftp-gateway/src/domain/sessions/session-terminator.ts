import type { ServerAddress } from './server-address.ts';

/** Who wants a session to end, for the record, and why, for its client. */
export interface TerminationOrder {
  readonly requestedBy: string;
  readonly reason: string;
}

/** Reaches the peer that holds a session. */
export interface SessionTerminator {
  /**
   * Has the peer end the session and waits until it has.
   * @returns false when the peer no longer has the session
   * @throws CodedError `peer_not_answering` after a second
   */
  terminate(server: ServerAddress, sessionId: string, order: TerminationOrder): Promise<boolean>;
}
