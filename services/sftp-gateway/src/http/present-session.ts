import type { ServerSession, LiveSession } from '../domain/sessions/server-session.ts';

/** A session as the interface shows it. */
export function presentSession({ sessionId, userName, clientIp, clientPort, clientVersion }: ServerSession) {
  return { sessionId, userName, clientIp, clientPort, clientVersion };
}

/** A session with its activity as the interface shows it. */
export function presentLiveSession({ server, session, activity }: LiveSession) {
  return { ...server, ...presentSession(session), openedAt: new Date(session.openedAt).toISOString(), ...activity };
}
