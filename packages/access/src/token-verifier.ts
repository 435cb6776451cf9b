import type { KeyObject } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { KeySource } from './key-source.ts';
import type { Identity } from './principal.ts';
import { rememberVerifiedTokens, type VerifiedToken } from './verified-tokens.ts';

/** Reads bearer tokens. */
export interface TokenVerifier {
  /**
   * The caller whom the token identifies. @throws CodedError `not_authenticated`; `service_unavailable` if the
   * issuer's keys cannot be fetched
   */
  verify(token: string): Promise<Identity>;
}

const claimsSchema = z.object({
  sub: userNameSchema,
  exp: z.number(),
  roles: z.array(z.string()).default([]),
  sid: z
    .string()
    .regex(/^\d{1,18}$/u)
    .optional(),
});

const headerSchema = z.object({
  header: z.object({ alg: z.literal('ES256'), kid: z.string().min(1).max(256) }),
});

const maxTokenCharacters = 8_192;

/**
 * Verifies access tokens: only ES256, regardless of the token's header (RFC 8725 section 3.1), signed by a key of
 * `keys`, for this issuer and audience, not expired, with a tolerance of `clockToleranceSeconds` (5 by default).
 * A signature is checked once for each key: a repeated token is accepted as long as its key is
 * still the one that `keys` has, and the token has not expired.
 */
export function createTokenVerifier(options: {
  keys: KeySource;
  issuer: string;
  audience: string;
  clockToleranceSeconds?: number;
  /** Called with the id of the key that signed each valid token. */
  verified?(kid: string): void;
}): TokenVerifier {
  const { keys, issuer, audience, clockToleranceSeconds = 5, verified } = options;
  const known = rememberVerifiedTokens();
  const check = (token: string, kid: string, key: KeyObject): VerifiedToken => {
    try {
      const claims = claimsSchema.parse(
        jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience, clockTolerance: clockToleranceSeconds }),
      );
      const { sub: userName, roles, sid: sessionId, exp } = claims;
      const identity = { userName, roles, expiresAt: exp * 1_000, ...(sessionId !== undefined && { sessionId }) };
      return { kid, key, identity };
    } catch (cause) {
      throw new CodedError('not_authenticated', { cause });
    }
  };
  const isInForce = ({ identity }: VerifiedToken): boolean =>
    Date.now() < identity.expiresAt + clockToleranceSeconds * 1_000;
  return {
    verify: async (token) => {
      const earlier = known.find(token);
      const kid = earlier?.kid ?? readKid(token);
      const key = kid === undefined ? undefined : await keys.find(kid);
      if (kid === undefined || !key) throw new CodedError('not_authenticated');
      const isStillValid = earlier !== undefined && earlier.key === key && isInForce(earlier);
      const valid = isStillValid ? earlier : check(token, kid, key);
      if (!isStillValid) known.keep(token, valid);
      verified?.(kid);
      return valid.identity;
    },
  };
}

/** The key id in a token that has not been verified yet. */
function readKid(token: string): string | undefined {
  if (token.length > maxTokenCharacters) return undefined;
  try {
    const decoded = headerSchema.safeParse(jwt.decode(token, { complete: true }));
    return decoded.success ? decoded.data.header.kid : undefined;
  } catch {
    return undefined;
  }
}
