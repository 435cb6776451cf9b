import { randomUUID } from 'node:crypto';
import { keysOf, type KeysInForce } from '@waybill/signing-keys/key-set';
import jwt from 'jsonwebtoken';
import type { Jwks } from './jwks.ts';
import type { Identity } from './principal.ts';
import type { SigningKey, VerificationKey } from './signing-key.ts';

/** Issues bearer tokens. */
export interface TokenIssuer {
  /** Lifetime of a token in seconds. */
  readonly lifetimeSeconds: number;
  /** A signed access token (ES256; RFC 9068: `sub` is the user name, `roles` the roles, `sid` the login). */
  issue(identity: Identity): string;
  /** The public keys that verifiers need: the active, the next and the previous ones. */
  jwks(): Jwks;
}

/** Issues bearer tokens with the currently active key. */
export function createTokenIssuer(options: {
  keys: KeysInForce<VerificationKey, SigningKey>;
  issuer: string;
  audience: string;
  /** 15 minutes by default. */
  lifetimeSeconds?: number;
}): TokenIssuer {
  const { keys, issuer, audience, lifetimeSeconds = 900 } = options;
  return {
    lifetimeSeconds,
    issue: ({ userName, roles, sessionId }) => {
      const { kid, privateKey } = keys.current.active;
      return jwt.sign({ roles, ...(sessionId !== undefined && { sid: sessionId }) }, privateKey, {
        algorithm: 'ES256',
        header: { alg: 'ES256', typ: 'at+jwt', kid },
        issuer,
        audience,
        subject: userName,
        expiresIn: lifetimeSeconds,
        jwtid: randomUUID(),
      });
    },
    jwks: () => ({ keys: keysOf(keys.current).map(({ key }) => key.jwk) }),
  };
}
