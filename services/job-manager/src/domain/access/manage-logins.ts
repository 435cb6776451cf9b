import type { IssuedRefreshToken, RefreshTokens } from '@waybill/access/refresh-tokens';
import type { TokenIssuer } from '@waybill/access/token-issuer';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import { explainDemand } from '@waybill/directory/accounts/account-standing';
import type { Directory } from '@waybill/directory/directory';
import type { ManagerUser } from '@waybill/directory/users/manager-user';
import type { AccessRecord } from './access-record.ts';
import type { LoginEvents } from './login-events.ts';
import type { ManagerPasswords } from './manager-passwords.ts';
import type { ManagerSecondFactors } from './manager-second-factors.ts';
import {
  judged,
  type LoginAttempt,
  type ProofPorts,
  proveIdentity,
  type ProvedIdentity,
  requireIdentity,
  turnAway,
} from './prove-identity.ts';

/** What a login gives. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds that the access token is valid. */
  readonly expiresIn: number;
}

/** The logins of manager users. */
export interface Logins {
  /**
   * @throws CodedError `invalid_credentials`, `too_many_requests`, `password_change_required`, `second_factor_required`,
   * `second_factor_refused`, `second_factor_setup_required`
   */
  logIn(attempt: LoginAttempt): Promise<TokenPair>;
  /**
   * New tokens, with the roles that the user has by now.
   * @throws CodedError `refresh_token_invalid`, `password_change_required`, `second_factor_setup_required`
   */
  refresh(refreshToken: string): Promise<TokenPair>;
  /** @throws CodedError `refresh_token_invalid` */
  logOut(refreshToken: string): Promise<void>;
  /** Sets a first password; `password` of the attempt is the code. @throws CodedError `invalid_credentials`, `too_many_requests`, `password_refused` */
  setFirstPassword(attempt: LoginAttempt, newPassword: string): Promise<void>;
  /**
   * Ends all logins of the user too.
   * @throws CodedError `invalid_credentials`, `too_many_requests`, `password_refused`, `second_factor_required`, `second_factor_refused`
   */
  changePassword(attempt: LoginAttempt, newPassword: string): Promise<void>;
}

/** The dependencies of logins. */
export interface LoginPorts extends ProofPorts {
  readonly directory: Pick<Directory, 'authenticateManagerUser' | 'findManagerUser'>;
  readonly secondFactors: Pick<ManagerSecondFactors, 'find' | 'prove' | 'isRequired'>;
  readonly issuer: TokenIssuer;
  readonly refreshTokens: RefreshTokens;
  readonly passwords: ManagerPasswords;
  readonly record: AccessRecord;
  readonly events: LoginEvents;
}

/** The logins of manager users. */
export function createLogins(ports: LoginPorts): Logins {
  const { directory, issuer, refreshTokens, record } = ports;
  return {
    logIn: async (attempt) => {
      const { user } = await logIn(ports, attempt);
      return tokensFor(issuer, user, await refreshTokens.issue(user.name, attempt.clientAddress));
    },
    refresh: async (refreshToken) => {
      const issued = await refreshTokens.rotate(refreshToken);
      const { userName, roles, outside } = issued;
      const user = await directory.findManagerUser(userName);
      if (roles === undefined && user?.enabled === true && isStillLinked(user, outside)) {
        // What a login with the issuer needs is the matter of the issuer.
        if (outside === undefined) await assertInForce(ports, user);
        await record.note('managerTokensRenewed', userName);
        return tokensFor(issuer, user, issued);
      }
      if (roles !== undefined && user === undefined) {
        await record.note('managerTokensRenewed', userName);
        return tokensFor(issuer, { name: userName, roles }, issued);
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

function isStillLinked({ oidc }: ManagerUser, outside: IssuedRefreshToken['outside']): boolean {
  return outside === undefined || (oidc?.issuer === outside.issuer && oidc.subject === outside.subject);
}

/** The tokens of a login. */
export function tokensFor(
  issuer: TokenIssuer,
  { name: userName, roles }: Pick<ManagerUser, 'name' | 'roles'>,
  { token, sessionId }: IssuedRefreshToken,
): TokenPair {
  return {
    accessToken: issuer.issue({ userName, roles, sessionId }),
    refreshToken: token,
    expiresIn: issuer.lifetimeSeconds,
  };
}

async function logIn(ports: LoginPorts, attempt: LoginAttempt): Promise<ProvedIdentity> {
  const { record, events } = ports;
  const proved = await requireIdentity(ports, attempt);
  const { user, method } = proved;
  await assertInForce(ports, user);
  await record.note('managerLogin', user.name, { authentication: authenticationBy[method] });
  events.loginSucceeded(user.name, method);
  return proved;
}

const authenticationBy = {
  password: 'password',
  totp: 'password, TOTP',
  recovery_code: 'password, recovery code',
} as const;

/** What the account policy demands of a login. @throws CodedError `password_change_required`, `second_factor_setup_required` */
async function assertInForce(ports: LoginPorts, user: ManagerUser): Promise<void> {
  const { secondFactors } = ports;
  await assertPasswordInForce(ports, user);
  if (!(await secondFactors.isRequired()) || (await secondFactors.find(user.name)) !== undefined) return;
  await turnAway(ports, user, 'second_factor_setup_required');
}

/** @throws CodedError `password_change_required` */
export async function assertPasswordInForce(
  { passwords, record, events }: Pick<LoginPorts, 'passwords' | 'record' | 'events'>,
  user: ManagerUser,
): Promise<void> {
  const demand = await passwords.demandOn(user);
  if (demand === undefined) return;
  events.passwordDue(user.name);
  await record.note('managerPasswordDue', user.name);
  throw new CodedError('password_change_required', { detail: explainDemand(demand) });
}

async function changePassword(ports: LoginPorts, attempt: LoginAttempt, newPassword: string): Promise<void> {
  const proved = await proveIdentity(ports, attempt);
  return choosing(ports, attempt.userName, async () => {
    if (typeof proved === 'string') throw new CodedError(proved);
    await ports.passwords.change(proved.user, newPassword);
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
    if (isCodedError(error, 'invalid_credentials', 'password_refused', 'second_factor_refused')) {
      events.passwordChange(error.code === 'password_refused' ? error.code : 'invalid_credentials');
      const known = await directory.findManagerUser(userName);
      if (known) await record.notePasswordRefusal(known);
    }
    throw error;
  }
}
