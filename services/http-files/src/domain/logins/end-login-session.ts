import type { LoginEvents } from './login-events.ts';
import type { LoginRecord } from './login-record.ts';
import type { LoginSession, LoginSessions } from './login-sessions.ts';

/** A session that is to end. */
export type EndingSession = Pick<LoginSession, 'id' | 'userName' | 'handle'>;

/** Ends a session on every peer, and puts that on the record once, with the reason when its user did not ask for it. */
export function createEndLoginSession(ports: { sessions: LoginSessions; record: LoginRecord; events: LoginEvents }) {
  const { sessions, record, events } = ports;
  return async (session: EndingSession, reason?: string): Promise<void> => {
    const isFirst = await record.ended(session, reason, () => sessions.close(session.handle));
    if (isFirst) events.loggedOut(session, reason);
  };
}
