import type { ActorScope } from '@waybill/access/principal';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';

/** The session of a user who is logged in over HTTP. All peers serve it. */
export interface HttpSession {
  readonly sessionId: string;
  readonly userName: string;
  /** Of the login. */
  readonly peerName: string;
  readonly serverName: string;
  /** Null if an older release has opened the session. */
  readonly client: CausingClient | null;
  readonly openedAt: Date;
}

/** Which sessions to list, the oldest first. */
export interface HttpSessionQuery {
  readonly userName?: string | undefined;
  readonly peerName?: string | undefined;
  readonly serverName?: string | undefined;
  /** Only those of the users of these actors; all if undefined. */
  readonly actors: ActorScope;
  /** All if undefined. */
  readonly limit?: number;
}

/** The sessions of all HTTP servers. */
export interface HttpSessions {
  /** `total`: how many match. Those of frozen users are over. */
  list(query: HttpSessionQuery): Promise<{ sessions: readonly HttpSession[]; total: number }>;
  /**
   * Ends a session on all peers and audits who has done it, once; undefined if there is no such session that belongs to a
   * user of these actors.
   */
  end(
    sessionId: string,
    by: { readonly requestedBy: string; readonly actors: ActorScope },
  ): Promise<HttpSession | undefined>;
  /** Ends all sessions of a user on all peers, and audits who has done it and why, once for each. */
  endAllOf(userName: string, by: { readonly requestedBy: string; readonly reason: string }): Promise<void>;
}

/** What operators are told about sessions over HTTP. */
export interface HttpSessionEvents {
  httpSessionEnded(session: HttpSession, requestedBy: string): void;
}

/** The actors that somebody reaches of those that are asked for. */
export function narrowed(actors: ActorScope, wanted: string | undefined): ActorScope {
  if (wanted === undefined) return actors;
  return actors === undefined || actors.includes(wanted) ? [wanted] : [];
}
