import type { KeyRing } from '@waybill/secrets/key-ring';
import type { Config } from '../../config.ts';
import { createOidcLogins, type OidcLogins, type OidcPorts } from '../../domain/access/oidc-logins.ts';
import { createOpenidIssuer } from './openid-issuer.ts';
import { createSealedLoginCookies } from './sealed-login-cookies.ts';

/** Logins with the issuer of the settings; `undefined` without one. */
export function openOidcLogins(
  config: Config,
  ports: Omit<OidcPorts, 'issuer' | 'issuerName' | 'hasBrowserLogins' | 'rules' | 'sessionSeconds' | 'cookies'>,
  ring: () => KeyRing,
): OidcLogins | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ROLES: roles } = config;
  if (issuer === undefined || clientId === undefined || roles === undefined) return undefined;
  return createOidcLogins({
    ...ports,
    issuerName: config.OIDC_NAME ?? new URL(issuer).host,
    hasBrowserLogins: config.OIDC_CALLBACK_URL !== undefined,
    issuer: createOpenidIssuer({
      issuer,
      clientId,
      clientSecret: config.OIDC_CLIENT_SECRET,
      callbackUrl: config.OIDC_CALLBACK_URL,
      scopes: config.OIDC_SCOPES,
      keyReloadMs: config.KEY_RELOAD_SECONDS * 1_000,
    }),
    rules: { userClaim: config.OIDC_USER_CLAIM, rolesClaim: config.OIDC_ROLES_CLAIM, roles },
    sessionSeconds: config.OIDC_SESSION_SECONDS,
    cookies: createSealedLoginCookies(ring),
  });
}
