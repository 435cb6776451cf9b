import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { LoginSession } from './login-sessions.ts';

/** A session whose end is not on the record yet. */
export interface RecordedSession extends Pick<LoginSession, 'id' | 'userName' | 'handle'> {
  /** Of all sessions, when it was opened. */
  readonly generation: string;
}

/** Puts logins on the record. Each resolves when the fact is stored for good. */
export interface LoginRecord {
  loggedIn(session: RecordedSession): Promise<void>;
  loginFailed(userName: UserName): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  /**
   * Closes a session and puts its end on the record, once, whoever tries to; false when it is there already. The reason is
   * absent when its user has logged out.
   */
  ended(session: { id: string }, reason: string | undefined, close: () => Promise<void>): Promise<boolean>;
  /** The next sessions whose end is not on the record, in the order of their ids. */
  listOpen(page: { afterId: string | undefined; limit: number }): Promise<RecordedSession[]>;
}
