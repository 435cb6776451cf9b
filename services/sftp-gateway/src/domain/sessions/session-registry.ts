import type { LiveSession, ServerAddress, ServerSession } from './server-session.ts';
import type { SessionActivity } from './session-activity.ts';

/** The open sessions of all peers, the same for every gateway. Sessions of a dead peer expire. */
export interface SessionRegistry {
  /** The servers that a peer offers; undefined if no such peer is up. */
  servers(clusterName: string, peerName: string): Promise<readonly string[] | undefined>;
  list(server: ServerAddress): Promise<readonly ServerSession[]>;
  find(server: ServerAddress, sessionId: string): Promise<ServerSession | undefined>;
  /** The sessions of all servers on all peers of all clusters. */
  listAll(): Promise<readonly LiveSession[]>;
}

/** The sessions of this process, which only this process adds and removes. */
export interface OwnSessions {
  add(session: ServerSession): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** Stores the activities of sessions, all in one step. */
  report(activities: ReadonlyMap<string, SessionActivity>): Promise<void>;
}
