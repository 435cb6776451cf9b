import type { LiveSession } from '../domain/sessions/live-session.ts';
import { presentSession } from './present-session.ts';

/** A session with its activity as the interface shows it. */
export function presentLiveSession({ server, session, activity }: LiveSession) {
  return { ...server, ...presentSession(session), openedAt: new Date(session.openedAt).toISOString(), ...activity };
}
