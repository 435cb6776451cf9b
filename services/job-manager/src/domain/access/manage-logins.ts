import type { IssuedRefreshToken, RefreshTokens } from '@waybill/access/refresh-tokens';
import type { TokenIssuer } from '@waybill/access/token-issuer';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import { explainDemand } from '@waybill/directory/accounts/account-standing';
import type { Directory } from '@waybill/directory/directory';
import type { ManagerUser } from '@waybill/directory/users/manager-user';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { AccessRecord } from './access-record.ts';
import type { LoginEvents } from './login-events.ts';
import type { ManagerPasswords } from './manager-passwords.ts';

/** Who tries, and from where. */
export interface LoginAttempt {
  readonly userName: UserName;
  readonly password: string;
  readonly clientAddress: string;
}

/** What a login gives. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds that the access token is valid. */
  readonly expiresIn: number;
}

/** The logins of manager users. */
export interface Logins {
  /** @throws CodedError `invalid_credentials`, `too_many_requests`, `password_change_required` */
  logIn(attempt: LoginAttempt): Promise<TokenPair>;
  /** New tokens, with the roles that the user has by now. @throws CodedError `refresh_token_invalid`, `password_change_required` */
  refresh(refreshToken: string): Promise<TokenPair>;
  /** @throws CodedError `refresh_token_invalid` */
  logOut(refreshToken: string): Promise<void>;
  /** Sets a first password; `password` of the attempt is the code. @throws CodedError `invalid_credentials`, `too_many_requests`, `password_refused` */
  setFirstPassword(attempt: LoginAttempt, newPassword: string): Promise<void>;
  /** Ends all logins of the user too. @throws CodedError `invalid_credentials`, `too_many_requests`, `password_refused` */
  changePassword(attempt: LoginAttempt, newPassword: string): Promise<void>;
}

/** The dependencies of logins. */
export interface LoginPorts {
  readonly directory: Pick<Directory, 'authenticateManagerUser' | 'findManagerUser'>;
  readonly issuer: TokenIssuer;
  readonly refreshTokens: RefreshTokens;
  readonly passwords: ManagerPasswords;
  readonly throttle: LoginThrottle;
  readonly record: AccessRecord;
  readonly events: LoginEvents;
}

/** The logins of manager users. */
export function createLogins(ports: LoginPorts): Logins {
  const { directory, issuer, refreshTokens, record } = ports;
  const tokensFor = ({ name: userName, roles }: ManagerUser, { token, sessionId }: IssuedRefreshToken): TokenPair => ({
    accessToken: issuer.issue({ userName, roles, sessionId }),
    refreshToken: token,
    expiresIn: issuer.lifetimeSeconds,
  });
  return {
    logIn: async (attempt) => {
      const user = await logIn(ports, attempt);
      return tokensFor(user, await refreshTokens.issue(user.name, attempt.clientAddress));
    },
    refresh: async (refreshToken) => {
      const issued = await refreshTokens.rotate(refreshToken);
      const { userName } = issued;
      const user = await directory.findManagerUser(userName);
      if (user?.enabled) {
        await assertPasswordInForce(ports, user);
        await record.note('managerTokensRenewed', user.name);
        return tokensFor(user, issued);
      }
      await refreshTokens.revokeAll(userName);
      throw new CodedError('refresh_token_invalid');
    },
    logOut: async (refreshToken) => {
      const userName = await refreshTokens.revoke(refreshToken);
      if (userName === undefined) throw new CodedError('refresh_token_invalid');
      await record.note('managerLogout', userName);
    },
    setFirstPassword: (attempt, newPassword) => setFirstPassword(ports, attempt, newPassword),
    changePassword: (attempt, newPassword) => changePassword(ports, attempt, newPassword),
  };
}

async function logIn(ports: LoginPorts, attempt: LoginAttempt): Promise<ManagerUser> {
  const { record, events } = ports;
  const user = await authenticate(ports, attempt);
  if (user) {
    await assertPasswordInForce(ports, user);
    await record.note('managerLogin', user.name);
    events.loginSucceeded(user.name);
    return user;
  }
  events.loginFailed(attempt.userName);
  await record.note('managerLoginFailed', attempt.userName);
  throw new CodedError('invalid_credentials');
}

async function assertPasswordInForce({ passwords, record, events }: LoginPorts, user: ManagerUser): Promise<void> {
  const demand = await passwords.demandOn(user);
  if (demand === undefined) return;
  events.passwordDue(user.name);
  await record.note('managerPasswordDue', user.name);
  throw new CodedError('password_change_required', { detail: explainDemand(demand) });
}

async function changePassword(ports: LoginPorts, attempt: LoginAttempt, newPassword: string): Promise<void> {
  const user = await authenticate(ports, attempt);
  return choosing(ports, attempt.userName, async () => {
    if (user === undefined) throw new CodedError('invalid_credentials');
    await ports.passwords.change(user, newPassword);
  });
}

/** A user who has a password changes it with `changePassword`: a code is only for users without one. */
async function setFirstPassword(ports: LoginPorts, attempt: LoginAttempt, newPassword: string): Promise<void> {
  const { directory, passwords } = ports;
  const { userName, password: code } = attempt;
  const known = await directory.findManagerUser(userName);
  const user = await judged(ports, attempt, async () => {
    if (known?.enabled !== true || known.passwordHash !== undefined) return undefined;
    return (await passwords.acceptsFirst(known, code)) ? known : undefined;
  });
  return choosing(ports, userName, async () => {
    const isSet = user !== undefined && (await passwords.setFirst(user, code, newPassword));
    if (!isSet) throw new CodedError('invalid_credentials');
  });
}

/** Reports and audits the outcome of a choice of a password. */
async function choosing(
  { directory, record, events }: LoginPorts,
  userName: UserName,
  choose: () => Promise<void>,
): Promise<void> {
  try {
    await choose();
    events.passwordChange('changed');
  } catch (error) {
    if (isCodedError(error, 'invalid_credentials', 'password_refused')) {
      events.passwordChange(error.code === 'password_refused' ? error.code : 'invalid_credentials');
      const known = await directory.findManagerUser(userName);
      if (known) await record.notePasswordRefusal(known);
    }
    throw error;
  }
}

function authenticate(ports: LoginPorts, attempt: LoginAttempt): Promise<ManagerUser | undefined> {
  const { userName, password } = attempt;
  return judged(ports, attempt, () => ports.directory.authenticateManagerUser(userName, password));
}

async function judged(
  { throttle, events }: LoginPorts,
  attempt: LoginAttempt,
  find: () => Promise<ManagerUser | undefined>,
): Promise<ManagerUser | undefined> {
  try {
    return await judgeLogin(throttle, attempt, find);
  } catch (error) {
    if (isCodedError(error, 'too_many_requests')) events.loginThrottled(attempt.userName);
    throw error;
  }
}
