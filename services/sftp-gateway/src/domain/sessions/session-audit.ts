import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { ServerSession } from './server-session.ts';

/** Audits the events of sessions. Each call resolves when the event is stored durably. */
export interface SessionAudit {
  loggedIn(session: ServerSession): Promise<void>;
  /** The connection of the login uses legacy algorithms, by an exception. */
  legacyUsed(session: ServerSession, algorithms: readonly string[]): Promise<void>;
  /** `reason` is given if neither the client nor an administrator ended the session. */
  loggedOut(session: ServerSession, reason?: string): Promise<void>;
  loginFailed(userName: UserName): Promise<void>;
  /** The credentials were not wrong; the login was refused for another reason. */
  turnedAway(userName: UserName, reason: string): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  banLifted(subject: BannedSubject, liftedBy: string): Promise<void>;
  /** The user accesses another folder than before. */
  folderChanged(userName: UserName, path: string): Promise<void>;
  terminated(session: ServerSession, requestedBy: string): Promise<void>;
}
