import { countApiKeys } from '@waybill/access/api-key';
import { countTokenKeys } from '@waybill/access/count-token-keys';
import { ownKeySource } from '@waybill/access/key-source';
import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import { openAccessKeyRing } from '@waybill/access/second-factors/access-key-ring';
import { tokenKeyStore } from '@waybill/access/signing-key';
import { createTokenIssuer, type TokenIssuer } from '@waybill/access/token-issuer';
import { createTokenVerifier } from '@waybill/access/token-verifier';
import type { Directory } from '@waybill/directory/directory';
import { type Authority, openAuthority } from '@waybill/directory/rights/open-authority';
import { createLoginThrottle } from '@waybill/login-throttle/create-login-throttle';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import { tolerateOutage } from '@waybill/login-throttle/tolerate-outage';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { Environment } from '@waybill/service-kit/config/secret-source';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { followKeySet } from '@waybill/signing-keys/follow-key-set';
import { createKeyEvents } from '@waybill/signing-keys/key-events';
import type { Config, JobSite } from '../../config.ts';
import type { AccessRecord } from '../../domain/access/access-record.ts';
import type { ApiKeys } from '../../domain/access/api-keys.ts';
import type { LoginSessions } from '../../domain/access/login-sessions.ts';
import { assertPasswordInForce, createLogins, type Logins, tokensFor } from '../../domain/access/manage-logins.ts';
import { createOwnSecondFactors, type OwnSecondFactors } from '../../domain/access/manage-second-factors.ts';
import type { OidcLogins } from '../../domain/access/oidc-logins.ts';
import type { OutsideNames } from '../../domain/access/outside-names.ts';
import { type LoginAttempt, type ProvedIdentity, requireIdentity } from '../../domain/access/prove-identity.ts';
import type { JobManagerEvents } from '../../events.ts';
import { createKnexApiKeys } from './knex-api-keys.ts';
import { createKnexLoginSessions } from './knex-login-sessions.ts';
import { createKnexManagerPasswords } from './knex-manager-passwords.ts';
import { createKnexOutsideNames } from './knex-outside-names.ts';
import { createKnexSecondFactors } from './knex-second-factors.ts';
import { openOidcLogins } from './open-oidc-logins.ts';
import { createOutboxAccessRecord } from './outbox-access-record.ts';

/** Failures within the window: for one user from one address, and from one address in all. */
const failureLimits = { perUser: 5, perAddress: 50 } as const;

/** What issues, reads and renews access tokens here. */
export interface Access {
  readonly issuer: TokenIssuer;
  readonly authority: Authority;
  readonly logins: Logins;
  readonly apiKeys: ApiKeys;
  readonly loginSessions: LoginSessions;
  readonly secondFactors: OwnSecondFactors;
  /** Absent without an outside issuer. */
  readonly oidcLogins: OidcLogins | undefined;
  readonly outsideNames: OutsideNames;
  /** As `requireIdentity`. */
  readonly proveIdentity: (attempt: LoginAttempt) => Promise<ProvedIdentity>;
}

/** What access needs. */
interface AccessParts {
  config: Config;
  /** What `config` was read from. */
  env: Environment;
  /** Of the active signing key. */
  keyFile: string;
  db: Database;
  redis: RedisConnection;
  directory: Directory;
  site: JobSite;
  events: JobManagerEvents;
  logger: Logger;
  metrics: Metrics;
  resources: AsyncDisposableStack;
}

/** Follows the signing keys, and puts logins on top of them. */
export async function openAccess(parts: AccessParts): Promise<Access> {
  const { config, keyFile, db, directory, site, events, logger, metrics, resources } = parts;
  const keys = resources.use(
    await followKeySet(tokenKeyStore(keyFile), {
      intervalMs: config.KEY_RELOAD_SECONDS * 1_000,
      events: createKeyEvents(logger, metrics),
    }),
  );
  const token = { issuer: config.ACCESS_ISSUER, audience: config.ACCESS_AUDIENCE };
  const issuer = createTokenIssuer({ keys, ...token, lifetimeSeconds: config.ACCESS_TOKEN_SECONDS });
  const refreshTokens = createRefreshTokens({ db });
  const record = createOutboxAccessRecord({ db, site });
  const ring = openAccessKeyRing(parts.env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 });
  const secondFactors = createKnexSecondFactors({
    db,
    ring,
    blockSeconds: config.LOGIN_WINDOW_SECONDS,
    site,
  });
  const outsideNames = createKnexOutsideNames(db, site);
  const ports = {
    directory,
    issuer,
    refreshTokens,
    secondFactors,
    passwords: createKnexManagerPasswords({ db, refreshTokens, site }),
    throttle: openThrottle(parts, record),
    record,
    events,
  };
  const tokens = createTokenVerifier({ keys: ownKeySource(keys), ...token, verified: countTokenKeys(metrics) });
  return {
    issuer,
    authority: openAuthority({ db, tokens, onApiKey: countApiKeys(metrics) }),
    logins: createLogins(ports),
    secondFactors: createOwnSecondFactors({
      ...ports,
      assertPasswordInForce: (user) => assertPasswordInForce(ports, user),
    }),
    oidcLogins: openOidcLogins(
      config,
      { ...ports, outsideNames, tokensFor: (user, issued) => tokensFor(issuer, user, issued) },
      ring,
    ),
    outsideNames,
    proveIdentity: (attempt) => requireIdentity(ports, attempt),
    apiKeys: createKnexApiKeys(db, site),
    loginSessions: createKnexLoginSessions(db, site),
  };
}

/** Counts failed logins; they are not refused while they cannot be counted. */
function openThrottle({ config, redis, events }: AccessParts, record: AccessRecord): LoginThrottle {
  const throttle = createLoginThrottle({
    redis,
    scope: 'manager',
    limits: { ...failureLimits, windowSeconds: config.LOGIN_WINDOW_SECONDS },
    countNetwork: createNetworkCounter(config.CLIENT_IPV6_PREFIX_BITS),
    onBan: async (subject, seconds) => {
      events.loginsBanned(subject, seconds);
      await record.loginsBanned(subject, seconds).catch(events.banNotRecorded);
    },
  });
  return tolerateOutage(throttle, events.throttleUnreachable);
}
