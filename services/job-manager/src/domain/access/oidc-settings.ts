import { roleNameSchema } from '@waybill/contracts/roles/role-configuration';
import { secretSchema } from '@waybill/service-kit/config/secret';
import { z } from 'zod';

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/u;

/** An address at which others log in for us: with TLS, or on this machine. */
const issuerSchema = z.url({ error: 'is an address such as https://login.example.org', abort: true }).refine((text) => {
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
  return isSafe && `${username}${password}${search}${hash}` === '';
}, 'is an https address without a user, a query or a fragment');

const rolesSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z
      .record(z.string().min(1), z.array(roleNameSchema).min(1))
      .refine((roles) => Object.keys(roles).length > 0, 'names no role'),
  );

/** Logins with an outside issuer (OpenID Connect). */
export const oidcConfigShape = {
  OIDC_ISSUER: issuerSchema
    .optional()
    .describe('Issuer of OpenID Connect with whom manager users can log in, as its discovery document names it'),
  OIDC_NAME: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('What the console calls the issuer: "Log in with …"; the host of the issuer if absent'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Id of the platform at the issuer; required with OIDC_ISSUER'),
  OIDC_CLIENT_SECRET: secretSchema
    .optional()
    .describe('Secret of the platform at the issuer; none for a public client'),
  OIDC_CALLBACK_URL: issuerSchema
    .optional()
    .describe(
      'Address of the callback as browsers reach it: https://…/platform-application/api/v1/auth/oidc/callback. Without it, only `waybill login --oidc` works',
    ),
  OIDC_SCOPES: z.string().min(1).default('openid profile').describe('Scopes that are asked for'),
  OIDC_USER_CLAIM: z.string().min(1).default('preferred_username').describe('Claim that becomes the user name'),
  OIDC_ROLES_CLAIM: z.string().min(1).default('groups').describe('Claim with the groups of a user'),
  OIDC_ROLES: rolesSchema
    .optional()
    .describe(
      'Roles of each group, as JSON: `{"waybill-admins": ["Administrators"]}`; required with OIDC_ISSUER. Who has none of the groups cannot log in',
    ),
  OIDC_SESSION_SECONDS: z.coerce
    .number()
    .min(300)
    .max(2_592_000)
    .default(28_800)
    .describe('How long a login lasts; then the issuer is asked again, and changed groups take effect'),
};

/** How claims become a user. */
export interface ClaimRules {
  readonly userClaim: string;
  readonly rolesClaim: string;
  /** By group. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
}
