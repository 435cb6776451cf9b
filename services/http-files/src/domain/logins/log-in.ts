import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainDemand } from '@waybill/directory/accounts/account-standing';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { Directory } from '@waybill/directory/directory';
import { passwordCredential } from '@waybill/directory/standing/login-proof';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { LoginAttempt } from '@waybill/login-throttle/login-throttle';
import type { LoginEvents, ProofRefusal } from './login-events.ts';
import type { LoginRecord } from './login-record.ts';
import type { LoginSession, LoginSessions } from './login-sessions.ts';
import { type Login, type ProofPorts, type ProvedUser, proveUser } from './prove-user.ts';

/** The ports of a login. */
export interface LogInPorts extends ProofPorts {
  readonly directory: Pick<Directory, 'authenticatePartnerUser' | 'recordLogin'>;
  readonly sessions: LoginSessions;
  readonly passwords: Pick<PartnerPasswords, 'demandOn'>;
  readonly record: LoginRecord;
  readonly events: LoginEvents;
}

/**
 * Opens a session for a user with the right password and, where there is a second factor, a code of it. An unknown user gets
 * the same error after the same time.
 * @throws CodedError `invalid_credentials`, `too_many_requests`, `password_change_required`, `second_factor_required`,
 * `second_factor_refused`, `second_factor_setup_required`
 */
export type LogIn = (login: Login) => Promise<{ token: string; session: LoginSession }>;

/** Opens sessions for partner users of the directory. */
export function createLogIn(ports: LogInPorts): LogIn {
  const { sessions, directory, passwords, secondFactors, record, events } = ports;

  const refuse = async (attempt: LoginAttempt, refusal: ProofRefusal): Promise<never> => {
    events.loginFailed(attempt, refusal);
    await record.loginFailed(attempt.userName, refusal);
    throw new CodedError(refusal);
  };

  const open = async (
    { user, method }: ProvedUser,
    address: string,
  ): Promise<{ token: string; session: LoginSession }> => {
    const { name: userName, loginEpoch } = user;
    const { token, session, generation } = await sessions.open({
      userName,
      credential: passwordCredential(user),
      loginEpoch,
      address,
    });
    try {
      await record.loggedIn({ ...session, generation }, method);
    } catch (error) {
      await sessions.close(session.handle);
      throw error;
    }
    events.loggedIn(session, method);
    directory.recordLogin(user).catch((error: unknown) => events.loginTimeNotRecorded(error));
    return { token, session };
  };

  /** @throws CodedError `password_change_required`, `second_factor_setup_required` */
  const assertInForce = async (user: PartnerUser, login: Login): Promise<void> => {
    const demand = await passwords.demandOn(user);
    if (demand !== undefined) {
      events.loginTurnedAway(login, 'password_change_required');
      throw new CodedError('password_change_required', { detail: explainDemand(demand) });
    }
    if ((await secondFactors.demandOn(user)) !== 'setup') return;
    events.loginTurnedAway(login, 'second_factor_setup_required');
    throw new CodedError('second_factor_setup_required');
  };

  return async (login) => {
    const proved = await proveUser(ports, login);
    if (typeof proved === 'string') return refuse(login, proved);
    await assertInForce(proved.user, login);
    return open(proved, login.clientAddress);
  };
}
