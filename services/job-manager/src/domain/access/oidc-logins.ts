import type { IssuedRefreshToken, RefreshTokens } from '@waybill/access/refresh-tokens';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { attemptedUserName } from '@waybill/contracts/values/user-name';
import type { Directory } from '@waybill/directory/directory';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { AccessRecord } from './access-record.ts';
import type { LoginEvents } from './login-events.ts';
import type { TokenPair } from './manage-logins.ts';
import type { BrowserLogin, DeviceLogin, OidcIssuer, OutsideIdentity } from './oidc-issuer.ts';
import type { ClaimRules } from './oidc-settings.ts';
import type { OutsideNames } from './outside-names.ts';
import { type OutsideUser, userOfClaims } from './user-of-claims.ts';

/** Logins of users whom an outside issuer identifies. Their roles come from claims, unless the configuration says who they are. */
export interface OidcLogins {
  /** For people. */
  readonly issuerName: string;
  /** Whether users can log in in a browser. */
  readonly hasBrowserLogins: boolean;
  /** `cookie` binds the rest of the login to this browser. @throws CodedError `service_unavailable` */
  begin(from: LoginOrigin): Promise<{ readonly address: string; readonly cookie: string }>;
  /** @throws CodedError `oidc_login_refused`, `too_many_requests`, `service_unavailable` */
  finish(callback: OidcCallback): Promise<TokenPair>;
  /** @throws CodedError `oidc_login_refused`, `too_many_requests`, `service_unavailable` */
  beginOnDevice(clientAddress: string): Promise<DeviceLogin>;
  /** @throws CodedError as `finish` */
  finishOnDevice(deviceCode: string, clientAddress: string): Promise<TokenPair | 'pending' | 'slow_down'>;
}

/** What has begun a login in a browser, and gets the tokens. */
export type LoginOrigin = 'program' | 'console';

const consoleMark = 'console.';

/** Whether the console has begun the login of this state. A user who invents such a state is led to the console, and refused there. */
export function isOfConsole(state: string): boolean {
  return state.startsWith(consoleMark);
}

/** The request with which a browser comes back. */
export interface OidcCallback {
  readonly query: string;
  readonly state: string;
  readonly cookie: string | undefined;
  readonly clientAddress: string;
}

/** What these logins need. */
export interface OidcPorts {
  readonly issuerName: string;
  readonly hasBrowserLogins: boolean;
  readonly issuer: OidcIssuer;
  readonly rules: ClaimRules;
  /** How long a login lasts. */
  readonly sessionSeconds: number;
  readonly directory: Pick<Directory, 'findManagerUser' | 'findLinkedUser'>;
  readonly outsideNames: Pick<OutsideNames, 'claim'>;
  readonly refreshTokens: Pick<RefreshTokens, 'issue'>;
  /** The tokens of a login. */
  readonly tokensFor: (user: OutsideUser, issued: IssuedRefreshToken) => TokenPair;
  /** Keeps logins that have begun in the browser, unreadable and for a few minutes. */
  readonly cookies: {
    seal(login: BrowserLogin): string;
    /** `undefined` for a cookie of another login, one that was altered, and one that is too old. */
    open(cookie: string, state: string): BrowserLogin | undefined;
  };
  readonly throttle: LoginThrottle;
  readonly record: Pick<AccessRecord, 'note'>;
  readonly events: Pick<LoginEvents, 'loginSucceeded' | 'oidcLoginRefused' | 'loginThrottled'>;
}

/** Failed logins with the issuer count for the address alone, as those of one user who does not exist. */
const anyone = attemptedUserName('\u0000OpenID Connect');

/** Logins on devices count as failed ones until they succeed: beginning one needs no login, and has the issuer asked. */
const beginner = attemptedUserName('\u0000OpenID Connect, on another device');

/** Logins with an outside issuer. */
export function createOidcLogins(ports: OidcPorts): OidcLogins {
  const { issuer, cookies, issuerName, hasBrowserLogins } = ports;
  return {
    issuerName,
    hasBrowserLogins,
    begin: async (from) => {
      const { login, address } = await issuer.begin(from === 'console' ? consoleMark : '');
      return { address, cookie: cookies.seal(login) };
    },
    finish: async ({ query, state, cookie, clientAddress }) => {
      if (cookie === undefined) {
        // Any page can have its visitors' browsers ask for the callback, without cookies: that must not count as failed logins of theirs.
        const error = notBegunHere();
        ports.events.oidcLoginRefused(error);
        throw error;
      }
      const identity = await identified(ports, clientAddress, async () => {
        const login = cookies.open(cookie, state);
        if (!login) throw notBegunHere();
        return await issuer.finish(query, login);
      });
      return await logIn(ports, identity, clientAddress);
    },
    beginOnDevice: (clientAddress) => beginOnDevice(ports, clientAddress),
    finishOnDevice: async (deviceCode, clientAddress) => {
      const identity = await identified(ports, clientAddress, () => issuer.finishOnDevice(deviceCode));
      if (typeof identity === 'string') return identity;
      const tokens = await logIn(ports, identity, clientAddress);
      await forgiveBeginnings(ports, clientAddress);
      return tokens;
    },
  };
}

function notBegunHere(): CodedError {
  return new CodedError('oidc_login_refused', { detail: 'This browser has not begun this login' });
}

async function beginOnDevice({ throttle, events, issuer }: OidcPorts, clientAddress: string): Promise<DeviceLogin> {
  const attempt = { userName: beginner, clientAddress };
  let login: DeviceLogin | undefined;
  try {
    await judgeLogin(throttle, attempt, async () => {
      login = await issuer.beginOnDevice();
      return undefined;
    });
  } catch (error) {
    if (isCodedError(error, 'too_many_requests')) events.loginThrottled(beginner, 'oidc');
    throw error;
  }
  if (!login) throw new Error('the issuer has begun no login');
  return login;
}

/** What was begun at the address before a login that succeeded does not count any more. */
async function forgiveBeginnings({ throttle }: OidcPorts, clientAddress: string): Promise<void> {
  try {
    await judgeLogin(throttle, { userName: beginner, clientAddress }, async () => true);
  } catch (error) {
    if (!isCodedError(error, 'too_many_requests')) throw error;
  }
}

/** A refused identification counts as a failed login of the address, and is audited. */
async function identified<I>(ports: OidcPorts, clientAddress: string, identify: () => Promise<I>): Promise<I> {
  const { throttle, events } = ports;
  let refusal: CodedError | undefined;
  const attempt = { userName: anyone, clientAddress };
  try {
    const identity = await judgeLogin(throttle, attempt, async () => {
      try {
        return { found: await identify() };
      } catch (error) {
        if (!isCodedError(error, 'oidc_login_refused')) throw error;
        refusal = error;
        return undefined;
      }
    });
    if (identity) return identity.found;
  } catch (error) {
    if (isCodedError(error, 'too_many_requests')) events.loginThrottled(anyone, 'oidc');
    throw error;
  }
  throw await refused(ports, refusal ?? new CodedError('oidc_login_refused'));
}

async function logIn(ports: OidcPorts, identity: OutsideIdentity, clientAddress: string): Promise<TokenPair> {
  const { rules, directory, refreshTokens, record, events, sessionSeconds: lifetimeSeconds } = ports;
  const { issuer, subject, claims } = identity;
  try {
    const linked = await directory.findLinkedUser({ issuer, subject });
    if (linked?.enabled === false) {
      throw new CodedError('oidc_login_refused', { detail: `The user ${linked.name} is disabled` });
    }
    const user = linked ?? userOfClaims(rules, claims);
    // A name that was chosen at the issuer must not make its user one of the configuration.
    if (!linked && (await directory.findManagerUser(user.name))) {
      throw new CodedError('oidc_login_refused', { detail: `${user.name} is a user of this platform already` });
    }
    if (!linked && !(await ports.outsideNames.claim(user.name, identity))) {
      throw new CodedError('oidc_login_refused', {
        detail: `The name ${user.name} belongs to another user of the issuer; an administrator can release it`,
      });
    }
    const outside = { issuer, subject, ...(!linked && { roles: user.roles }), lifetimeSeconds };
    const tokens = ports.tokensFor(user, await refreshTokens.issue(user.name, clientAddress, outside));
    const roles = user.roles.join(', ');
    await record.note('managerLogin', user.name, { authentication: 'OpenID Connect', issuer, subject, roles });
    events.loginSucceeded(user.name, 'oidc');
    return tokens;
  } catch (error) {
    throw isCodedError(error, 'oidc_login_refused') ? await refused(ports, error, identity) : error;
  }
}

async function refused(
  { record, events }: OidcPorts,
  error: CodedError,
  { issuer, subject }: Partial<OutsideIdentity> = {},
): Promise<CodedError> {
  events.oidcLoginRefused(error);
  await record.note('managerLoginFailed', attemptedUserName(subject ?? 'unknown'), {
    authentication: 'OpenID Connect',
    outcome: error.code,
    reason: error.message,
    ...(issuer !== undefined && { issuer }),
    ...(subject !== undefined && { subject }),
  });
  return error;
}
