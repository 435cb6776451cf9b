import type { LoginEvents } from './login-events.ts';
import type { LoginRecord } from './login-record.ts';
import type { LoginSession, LoginSessions } from './login-sessions.ts';

/** A session to end. */
export type EndingSession = Pick<LoginSession, 'id' | 'userName' | 'handle'>;

/** Ends a session on every peer and audits this once, with the reason unless its user requested it. */
export type EndLoginSession = (session: EndingSession, reason?: string) => Promise<void>;

/** Ends sessions in their store and in the audit log. */
export function createEndLoginSession(ports: {
  sessions: LoginSessions;
  record: LoginRecord;
  events: LoginEvents;
}): EndLoginSession {
  const { sessions, record, events } = ports;
  return async (session, reason) => {
    const isFirst = await record.ended(session, reason, () => sessions.close(session.handle));
    if (isFirst) events.loggedOut(session, reason);
  };
}
