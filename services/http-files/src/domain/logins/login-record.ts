import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { LoginMethod, ProofRefusal } from './login-events.ts';
import type { LoginSession } from './login-sessions.ts';

/** A session whose end is not audited yet. */
export interface RecordedSession extends Pick<LoginSession, 'id' | 'userName' | 'handle'> {
  /** The generation of all sessions at its opening. */
  readonly generation: string;
}

/** Audits logins. Each call resolves when the event is stored durably. */
export interface LoginRecord {
  loggedIn(session: RecordedSession, method: LoginMethod): Promise<void>;
  loginFailed(userName: UserName, outcome: ProofRefusal): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  /**
   * Closes a session and audits its end, exactly once; false if this was already done. The reason is absent if the user
   * has logged out.
   */
  ended(session: { id: string }, reason: string | undefined, close: () => Promise<void>): Promise<boolean>;
  /** The next sessions whose end is not audited, in the order of their ids. */
  listOpen(page: { afterId: string | undefined; limit: number }): Promise<RecordedSession[]>;
}
