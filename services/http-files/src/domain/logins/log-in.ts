import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { explainDemand } from '@waybill/directory/accounts/account-standing';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { Directory } from '@waybill/directory/directory';
import { passwordCredential } from '@waybill/directory/standing/login-proof';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginAttempt, LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { LoginEvents } from './login-events.ts';
import type { LoginRecord } from './login-record.ts';
import type { LoginSession, LoginSessions } from './login-sessions.ts';

/** The ports of a login. */
export interface LogInPorts {
  readonly directory: Pick<Directory, 'authenticatePartnerUser'>;
  readonly sessions: LoginSessions;
  readonly passwords: Pick<PartnerPasswords, 'demandOn'>;
  readonly throttle: LoginThrottle;
  readonly record: LoginRecord;
  readonly events: LoginEvents;
}

/** The request of a login. */
export interface Login extends LoginAttempt {
  readonly password: string;
}

/**
 * Opens a session for a user with the right password. An unknown user gets the same error after the same time.
 * @throws CodedError `invalid_credentials`, `too_many_requests`, `password_change_required`
 */
export type LogIn = (login: Login) => Promise<{ token: string; session: LoginSession }>;

/** Opens sessions for partner users of the directory. */
export function createLogIn({ directory, sessions, passwords, throttle, record, events }: LogInPorts): LogIn {
  const judge = async ({ password, ...attempt }: Login) => {
    const { userName } = attempt;
    try {
      return await judgeLogin(throttle, attempt, () => directory.authenticatePartnerUser(userName, password));
    } catch (error) {
      if (isCodedError(error, 'too_many_requests')) events.loginThrottled(attempt);
      throw error;
    }
  };

  const refuse = async (attempt: LoginAttempt): Promise<never> => {
    events.loginFailed(attempt);
    await record.loginFailed(attempt.userName);
    throw new CodedError('invalid_credentials');
  };

  const open = async (user: PartnerUser): Promise<{ token: string; session: LoginSession }> => {
    const { name: userName, loginEpoch } = user;
    const { token, session, generation } = await sessions.open({
      userName,
      credential: passwordCredential(user),
      loginEpoch,
    });
    try {
      await record.loggedIn({ ...session, generation });
    } catch (error) {
      await sessions.close(session.handle);
      throw error;
    }
    events.loggedIn(session);
    return { token, session };
  };

  return async (login) => {
    const user = await judge(login);
    if (user === undefined) return refuse(login);
    const demand = await passwords.demandOn(user);
    if (demand === undefined) return open(user);
    events.loginTurnedAway(login, 'password_change_required');
    throw new CodedError('password_change_required', { detail: explainDemand(demand) });
  };
}
