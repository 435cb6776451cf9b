import { createHash, type KeyObject } from 'node:crypto';
import type { PublicJwk } from './jwks.ts';

/**
 * The published form of a public EC key on P-256, named by its thumbprint (RFC 7638). @throws Error for any other
 * key
 */
export function publicJwkOf(publicKey: KeyObject): PublicJwk {
  if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('holds a key of another type than EC on P-256');
  }
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const thumbprinted = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  const kid = createHash('sha256').update(thumbprinted).digest('base64url');
  return { kty: 'EC', crv: 'P-256', x, y, kid, use: 'sig', alg: 'ES256' };
}
