import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from '@waybill/service-kit/config/secret';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { DeviceLogin, OidcIssuer, OutsideIdentity } from '../../domain/access/oidc-issuer.ts';

/** How the platform is known to an issuer. */
export interface IssuerSettings {
  /** The issuer: nothing else decides where requests go, but what its discovery document says. */
  readonly issuer: string;
  readonly clientId: string;
  /** None for a public client. */
  readonly clientSecret: Secret | undefined;
  /** None: no logins in browsers. */
  readonly callbackUrl: string | undefined;
  readonly scopes: string;
  /** How often unknown keys may cause the key set to be fetched. */
  readonly keyReloadMs: number;
}

const timeoutSeconds = 5;
/** The discovery document and the key set are fetched again after this time. */
const maxAgeMs = 300_000;
/** After a failed discovery, the next one waits this long. */
const retryMs = 5_000;
const clockToleranceSeconds = 5;

/** Only signatures with public keys: never `none`, and never a MAC, whose key would be public (RFC 8725 section 3.1). */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

interface Discovered {
  readonly config: client.Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly at: number;
}

/** An issuer of OpenID Connect: it is discovered when it is first needed. */
export function createOpenidIssuer(settings: IssuerSettings): OidcIssuer {
  const { callbackUrl, scopes: scope } = settings;
  const discovered = followDiscovery(settings);
  const identityIn = async ({ config, keys }: Discovered, tokens: { readonly id_token?: string }, nonce?: string) => {
    const { issuer } = config.serverMetadata();
    const { clientId } = settings;
    return await verifyIdToken(tokens.id_token, { issuer, clientId, keys, nonce });
  };
  return {
    begin: async (mark) => {
      if (callbackUrl === undefined) refuse('Logins in browsers are not set up: use `waybill login --oidc`');
      const { config } = await discovered();
      const state = `${mark}${client.randomState()}`;
      const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()];
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { login: { state, nonce, verifier }, address: address.href };
    },
    finish: async (query, { state, nonce, verifier }) => {
      const issuer = await discovered();
      const url = new URL(`${callbackUrl ?? ''}?${query}`);
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const tokens = await answered(() => client.authorizationCodeGrant(issuer.config, url, checks));
      return await identityIn(issuer, tokens, nonce);
    },
    beginOnDevice: async () => {
      const { config } = await discovered();
      if (config.serverMetadata().device_authorization_endpoint === undefined) {
        refuse('The issuer offers no logins on devices');
      }
      return deviceLoginOf(await answered(() => client.initiateDeviceAuthorization(config, { scope })));
    },
    finishOnDevice: async (deviceCode) => {
      const issuer = await discovered();
      const tokens = await askForDevice(issuer.config, deviceCode);
      return typeof tokens === 'string' ? tokens : await identityIn(issuer, tokens);
    },
  };
}

/**
 * The latest discovery document; while the issuer does not answer, what it last said. All who wait for an answer wait for the
 * same one, and after a failure the issuer is left alone for a while.
 */
function followDiscovery(settings: IssuerSettings): () => Promise<Discovered> {
  let known: Discovered | undefined;
  let failed: { readonly cause: unknown; readonly at: number } | undefined;
  let pending: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    try {
      known = await discover(settings);
      failed = undefined;
    } catch (cause) {
      failed = { cause, at: performance.now() };
    }
    pending = undefined;
  };
  return async () => {
    const isCurrent = known !== undefined && performance.now() - known.at <= maxAgeMs;
    const isWaiting = failed !== undefined && performance.now() - failed.at <= retryMs;
    if (!isCurrent && !isWaiting) await (pending ??= ask());
    if (known === undefined) throw unreachable(failed?.cause);
    return known;
  };
}

async function discover({ issuer, clientId, clientSecret, keyReloadMs }: IssuerSettings): Promise<Discovered> {
  const server = new URL(issuer);
  const secret = clientSecret?.reveal();
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  // The settings allow an issuer without TLS on this machine only.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const options = { timeout: timeoutSeconds, execute };
  const config = await client.discovery(server, clientId, undefined, authentication, options);
  const { jwks_uri: address } = config.serverMetadata();
  if (address === undefined) throw new Error(`the discovery document of ${issuer} has no jwks_uri`);
  const keysUrl = new URL(address);
  if (keysUrl.protocol !== 'https:' && keysUrl.protocol !== server.protocol) {
    throw new Error(`the jwks_uri of ${issuer} has no TLS`);
  }
  const keys = createRemoteJWKSet(keysUrl, {
    cooldownDuration: keyReloadMs,
    cacheMaxAge: maxAgeMs,
    timeoutDuration: timeoutSeconds * 1_000,
  });
  return { config, keys, at: performance.now() };
}

/** Checks the signature, the issuer, the audience, the times and the nonce (OpenID Connect Core section 3.1.3.7). */
async function verifyIdToken(
  token: string | undefined,
  expected: {
    readonly issuer: string;
    readonly clientId: string;
    readonly keys: Discovered['keys'];
    readonly nonce: string | undefined;
  },
): Promise<OutsideIdentity> {
  const { issuer, clientId, keys, nonce } = expected;
  if (token === undefined) refuse('The issuer has sent no ID token');
  const claims = await verified(async () => {
    const { payload } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience: clientId,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    return payload;
  });
  const { sub: subject, azp, nonce: stated } = claims;
  if (subject === undefined || subject === '') refuse('The ID token names no subject');
  if (azp !== undefined && azp !== clientId) refuse('The ID token was issued to another client');
  if (nonce !== undefined && stated !== nonce) refuse('The ID token belongs to another login');
  return { issuer, subject, claims };
}

async function verified(verify: () => Promise<JWTPayload>): Promise<JWTPayload> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw unreachable(error);
    throw new CodedError('oidc_login_refused', { detail: 'The ID token is not valid', cause: error });
  }
}

/** Runs a request to the issuer. @throws CodedError `oidc_login_refused` if it refuses, `service_unavailable` if it does not answer */
async function answered<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof CodedError) return error;
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    return new CodedError('oidc_login_refused', { detail: `The issuer has refused: ${error.error}`, cause: error });
  }
  // A response that breaks the protocol, and so may be a forged one.
  if (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT' && error.code !== 'OAUTH_ABORT') {
    return new CodedError('oidc_login_refused', { detail: 'The response of the issuer is not valid', cause: error });
  }
  return unreachable(error);
}

function unreachable(cause: unknown): CodedError {
  return new CodedError('service_unavailable', { detail: 'The OpenID Connect issuer cannot be reached', cause });
}

/** Asks once for the tokens of a login on another device (RFC 8628 section 3.4). */
async function askForDevice(config: client.Configuration, deviceCode: string) {
  try {
    return await client.genericGrantRequest(config, deviceGrant, { device_code: deviceCode });
  } catch (error) {
    if (error instanceof client.ResponseBodyError) {
      if (error.error === 'authorization_pending') return 'pending';
      if (error.error === 'slow_down') return 'slow_down';
    }
    throw asRefusal(error);
  }
}

function deviceLoginOf(response: client.DeviceAuthorizationResponse): DeviceLogin {
  return {
    deviceCode: response.device_code,
    userCode: response.user_code,
    verificationUri: response.verification_uri,
    verificationUriComplete: response.verification_uri_complete,
    expiresIn: response.expires_in,
    interval: response.interval ?? 5,
  };
}

function refuse(detail: string): never {
  throw new CodedError('oidc_login_refused', { detail });
}
