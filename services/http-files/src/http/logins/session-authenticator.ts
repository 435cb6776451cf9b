import { CodedError } from '@waybill/contracts/errors/coded-error';
import { attemptedUserName, type UserName } from '@waybill/contracts/values/user-name';
import { readCookies } from '@waybill/http-kit/body/read-cookies';
import type { Authenticator } from '@waybill/http-kit/routing/route';
import type { LoginSession, LoginSessions } from '../../domain/logins/login-sessions.ts';

/** The cookie that holds the user's name. */
export const userCookie = 'sp-http-usr';

/** The cookie that holds the token of the login session. */
export const sessionCookie = 'sp-http-ses';

/**
 * With the value `refresh`, a program says that it repeats a request by itself: it does not count as a use of the session, which
 * ends although a page without its user reads again and again what it shows.
 */
const purposeHeader = 'waybill-purpose';

/** A login session of a client. */
export interface HeldSession {
  readonly userName: UserName;
  readonly sessionId: string;
  readonly session: LoginSession;
}

/**
 * Authenticates callers by the two login cookies, which must belong together. @throws CodedError `not_authenticated`
 */
export function createSessionAuthenticator(sessions: LoginSessions): Authenticator<HeldSession> {
  return async ({ headers }) => {
    const cookies = readCookies(headers.cookie);
    const written = cookies.get(userCookie);
    const token = cookies.get(sessionCookie);
    if (written === undefined || token === undefined) throw new CodedError('not_authenticated');
    const session = await sessions.find(token, { isUse: headers[purposeHeader] !== 'refresh' });
    const userName = attemptedUserName(written);
    if (session?.userName !== userName) throw new CodedError('not_authenticated');
    return { userName, sessionId: session.id, session };
  };
}
