import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { ServerSession } from './server-session.ts';

/** Puts what happens to sessions on the record. Each resolves when the fact is stored for good. */
export interface SessionAudit {
  loggedIn(session: ServerSession): Promise<void>;
  /** The login was on a connection with old algorithms, by an exception. */
  legacyUsed(session: ServerSession, algorithms: readonly string[]): Promise<void>;
  /** `reason` is why, when neither the client nor an administrator asked for it. */
  loggedOut(session: ServerSession, reason?: string): Promise<void>;
  loginFailed(userName: UserName): Promise<void>;
  /** Nothing was wrong with the login but the moment. */
  turnedAway(userName: UserName, reason: string): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  banLifted(subject: BannedSubject, liftedBy: string): Promise<void>;
  /** The user looks into another folder than before. */
  folderChanged(userName: string, path: string): Promise<void>;
  terminated(session: ServerSession, requestedBy: string): Promise<void>;
}
