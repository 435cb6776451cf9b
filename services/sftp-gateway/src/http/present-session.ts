import type { ServerSession, LiveSession } from '../domain/sessions/server-session.ts';

/** A session as the interface shows it. */
export function presentSession({ sessionId, userName, clientIp, clientPort, clientVersion }: ServerSession) {
  return { sessionId, userName, clientIp, clientPort, clientVersion };
}

/** A session with its activity as the interface shows it. */
export function presentLiveSession({ server, session, activity }: LiveSession) {
  const { fileSince: _since, fileBytes: _bytes, ...shown } = activity;
  return { ...server, ...presentSession(session), openedAt: new Date(session.openedAt).toISOString(), ...shown };
}
