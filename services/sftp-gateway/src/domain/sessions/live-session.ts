import type { ServerAddress } from './server-address.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionActivity } from './session-activity.ts';

/** An open session, where it is, and what it is at. */
export interface LiveSession {
  readonly server: ServerAddress;
  readonly session: ServerSession;
  readonly activity: SessionActivity;
}
