import { type IssuerKey, newIssuerKey, oidcClient } from '@waybill/test-kit/oidc/outside-issuer';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

/** An ID token as the issuer makes them. */
export function signed(claims: JWTPayload, { kid, privateKey }: IssuerKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
}

type Forge = (claims: JWTPayload, key: IssuerKey) => Promise<string>;

const now = (): number => Math.floor(Date.now() / 1_000);

function without(claims: JWTPayload, claim: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
}

/** ID tokens that must be refused, made of the claims of a good one. */
export const forgeries: readonly (readonly [name: string, forge: Forge])[] = [
  ['for another audience', (claims, key) => signed({ ...claims, aud: 'another' }, key)],
  [
    'for others too, issued to another',
    (claims, key) => signed({ ...claims, aud: [oidcClient.id, 'another'], azp: 'another' }, key),
  ],
  ['of another issuer', (claims, key) => signed({ ...claims, iss: 'https://evil.example.org' }, key)],
  ['that has expired', (claims, key) => signed({ ...claims, iat: now() - 900, exp: now() - 300 }, key)],
  ['without an end', (claims, key) => signed(without(claims, 'exp'), key)],
  ['without a subject', (claims, key) => signed(without(claims, 'sub'), key)],
  ['of another login', (claims, key) => signed({ ...claims, nonce: 'another' }, key)],
  ['without its nonce', (claims, key) => signed(without(claims, 'nonce'), key)],
  ['without a signature (alg none)', (claims) => Promise.resolve(new UnsecuredJWT(claims).encode())],
  [
    'with a MAC by the public key (HS256)',
    (claims, { kid, publicKey }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }))),
  ],
  ['signed by another key under the same id', (claims, { kid }) => signed(claims, newIssuerKey(kid))],
  ['signed by a key that was not published', (claims) => signed(claims, newIssuerKey())],
  ['that is no token', () => Promise.resolve('a.b.c')],
];
