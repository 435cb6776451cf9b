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
import { type OutsideUser, userOfClaims } from './user-of-claims.ts';

/** Logins of users whom an outside issuer identifies. They are no users of the configuration: their roles come from claims. */
export interface OidcLogins {
  /** `cookie` binds the rest of the login to this browser. @throws CodedError `service_unavailable` */
  begin(): Promise<{ readonly address: string; readonly cookie: string }>;
  /** @throws CodedError `oidc_login_refused`, `too_many_requests`, `service_unavailable` */
  finish(callback: OidcCallback): Promise<TokenPair>;
  /** @throws CodedError `oidc_login_refused`, `service_unavailable` */
  beginOnDevice(): Promise<DeviceLogin>;
  /** @throws CodedError as `finish` */
  finishOnDevice(deviceCode: string, clientAddress: string): Promise<TokenPair | 'pending' | 'slow_down'>;
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
  readonly issuer: OidcIssuer;
  readonly rules: ClaimRules;
  /** How long a login lasts. */
  readonly sessionSeconds: number;
  readonly directory: Pick<Directory, 'findManagerUser'>;
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

/** Logins with an outside issuer. */
export function createOidcLogins(ports: OidcPorts): OidcLogins {
  const { issuer, cookies } = ports;
  return {
    begin: async () => {
      const { login, address } = await issuer.begin();
      return { address, cookie: cookies.seal(login) };
    },
    finish: async ({ query, state, cookie, clientAddress }) => {
      const identity = await identified(ports, clientAddress, async () => {
        const login = cookie === undefined ? undefined : cookies.open(cookie, state);
        if (!login) throw new CodedError('oidc_login_refused', { detail: 'This browser has not begun this login' });
        return await issuer.finish(query, login);
      });
      return await logIn(ports, identity, clientAddress);
    },
    beginOnDevice: () => issuer.beginOnDevice(),
    finishOnDevice: async (deviceCode, clientAddress) => {
      const identity = await identified(ports, clientAddress, () => issuer.finishOnDevice(deviceCode));
      return typeof identity === 'string' ? identity : await logIn(ports, identity, clientAddress);
    },
  };
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
    const user = userOfClaims(rules, claims);
    // A name that was chosen at the issuer must not make its user one of the configuration.
    if (await directory.findManagerUser(user.name)) {
      throw new CodedError('oidc_login_refused', { detail: `${user.name} is a user of this platform already` });
    }
    const outside = { issuer, subject, roles: user.roles, lifetimeSeconds };
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
