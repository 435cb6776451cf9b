import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import type { ServerAddress } from './server-session.ts';

/** Who ends the session, for the audit log, and the reason, for its client. */
export interface TerminationOrder {
  readonly requestedBy: string;
  /** The client of that administrator. Releases before this one send none. */
  readonly requestedFrom?: { readonly [Name in keyof CausingClient]: CausingClient[Name] | undefined } | undefined;
  readonly reason: string;
}

/** Reaches the peer that holds a session. */
export interface SessionTerminator {
  /**
   * Makes the peer end the session and waits until it has.
   * @returns false if the peer no longer has the session
   * @throws CodedError `peer_not_answering` after a second
   */
  terminate(server: ServerAddress, sessionId: string, order: TerminationOrder): Promise<boolean>;
}
