import { CodedError } from '@waybill/contracts/errors/coded-error';
import { roleSchema, type Role } from '@waybill/contracts/values/resources';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { KeySource } from './key-source.ts';
import type { Principal } from './principal.ts';

/** Reads bearer tokens. */
export interface TokenVerifier {
  /**
   * The caller that the token identifies. @throws CodedError `not_authenticated`; `service_unavailable` if the
   * issuer's keys cannot be fetched
   */
  verify(token: string): Promise<Principal>;
}

const claimsSchema = z.object({
  sub: userNameSchema,
  exp: z.number(),
  roles: z.array(z.string()).default([]),
});

const maxTokenCharacters = 8_192;

/**
 * Verifies access tokens: only ES256, regardless of the token's header (RFC 8725 section 3.1), signed by a key of
 * `keys`, for this issuer and audience, not expired, with a tolerance of `clockToleranceSeconds` (5 by default).
 * Unknown roles are ignored.
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
  return {
    verify: async (token) => {
      const kid = readKid(token);
      const key = kid === undefined ? undefined : await keys.find(kid);
      if (kid === undefined || !key) throw new CodedError('not_authenticated');
      try {
        const claims = claimsSchema.parse(
          jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience, clockTolerance: clockToleranceSeconds }),
        );
        verified?.(kid);
        return { userName: claims.sub, roles: knownRoles(claims.roles), expiresAt: claims.exp * 1_000 };
      } catch (cause) {
        throw new CodedError('not_authenticated', { cause });
      }
    },
  };
}

/** The key id in a token that has not been verified yet. */
function readKid(token: string): string | undefined {
  if (token.length > maxTokenCharacters) return undefined;
  const header = z.object({ header: z.object({ alg: z.literal('ES256'), kid: z.string().min(1).max(256) }) });
  try {
    const decoded = header.safeParse(jwt.decode(token, { complete: true }));
    return decoded.success ? decoded.data.header.kid : undefined;
  } catch {
    return undefined;
  }
}

function knownRoles(roles: readonly string[]): Role[] {
  return roles.flatMap((role) => {
    const known = roleSchema.safeParse(role);
    return known.success ? [known.data] : [];
  });
}
