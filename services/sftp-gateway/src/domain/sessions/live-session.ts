import type { ServerAddress } from './server-address.ts';
import type { ServerSession } from './server-session.ts';
import type { SessionActivity } from './session-activity.ts';

/** An open session, its server and its activity. */
export interface LiveSession {
  readonly server: ServerAddress;
  readonly session: ServerSession;
  readonly activity: SessionActivity;
}
