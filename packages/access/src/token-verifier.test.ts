import { createHmac, generateKeyPairSync } from 'node:crypto';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { onlyKey } from '@waybill/signing-keys/key-set';
import jwt from 'jsonwebtoken';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownKeySource } from './key-source.ts';
import { createSigningKey } from './signing-key.ts';
import { createTokenIssuer } from './token-issuer.ts';
import { createTokenVerifier } from './token-verifier.ts';

const newKey = () => createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const key = newKey();
const names = { issuer: 'waybill', audience: 'waybill' };
const admin = { userName: userNameSchema.parse('admin'), roles: ['Administrators'] } as const;
const verifier = createTokenVerifier({ keys: ownKeySource(onlyKey(key)), ...names });
const issuer = createTokenIssuer({ keys: onlyKey(key), ...names });

/** A token with our key id, signed by our key, with anything wrong that one asks for. */
function sign(claims: object, options: jwt.SignOptions = {}, by = key): string {
  return jwt.sign(claims, by.privateKey, { algorithm: 'ES256', keyid: key.kid, expiresIn: 60, ...names, ...options });
}

const refused = { code: 'not_authenticated' };

afterEach(() => {
  vi.useRealTimers();
});

describe('a token', () => {
  it('speaks for whom it was issued', async () => {
    expect(await verifier.verify(issuer.issue(admin))).toEqual({ ...admin, expiresAt: expect.any(Number) });
  });

  it('is not good any more after its lifetime and the tolerance, and good until then', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = issuer.issue(admin);
    vi.advanceTimersByTime(904_000);
    expect(await verifier.verify(token)).toMatchObject(admin);
    vi.advanceTimersByTime(2_000);
    await expect(verifier.verify(token)).rejects.toMatchObject(refused);
  });

  it('speaks for the same user in every Unicode form of the name', async () => {
    const token = sign({ roles: ['Users'] }, { subject: 'mu\u0308ller' });
    expect(await verifier.verify(token)).toMatchObject({ userName: 'm\u00fcller' });
  });

  it('keeps roles of the configuration', async () => {
    const token = sign({ roles: ['Users', 'Emperors'] }, { subject: 'someone' });
    expect(await verifier.verify(token)).toMatchObject({
      userName: userNameSchema.parse('someone'),
      roles: ['Users', 'Emperors'],
    });
  });

  it.each([
    ['another issuer', () => sign({}, { subject: 'admin', issuer: 'elsewhere' })],
    ['another audience', () => sign({}, { subject: 'admin', audience: 'elsewhere' })],
    ['a subject that cannot be a name', () => sign({}, { subject: 'a\u0000b' })],
    ['no subject', () => sign({ roles: ['Administrators'] })],
    [
      'no expiry',
      () =>
        jwt.sign({ sub: 'admin', iss: 'waybill', aud: 'waybill' }, key.privateKey, {
          algorithm: 'ES256',
          keyid: key.kid,
        }),
    ],
    ['a start in the future', () => sign({}, { subject: 'admin', notBefore: 60 })],
    ["another key under our key's name", () => sign({}, { subject: 'admin' }, newKey())],
    ['a key that was never published', () => sign({}, { subject: 'admin', keyid: 'unheard-of' })],
    ['no key id', () => jwt.sign({ sub: 'admin' }, key.privateKey, { algorithm: 'ES256', ...names })],
    ['no signature', () => unsigned({ alg: 'none', kid: key.kid })],
    ['no signature under the right algorithm', () => unsigned({ alg: 'ES256', kid: key.kid })],
    ['the public key as a shared secret', () => macedWithPublicKey()],
    ['nothing', () => ''],
    ['no form at all', () => 'a.b.c'],
    ['a length beyond reason', () => `${issuer.issue(admin)}${'A'.repeat(9_000)}`],
  ])('is refused with %s', async (_what, make) => {
    await expect(verifier.verify(make())).rejects.toMatchObject(refused);
  });

  it('is refused when a single character of it was changed', async () => {
    const [header = '', payload = '', signature = ''] = issuer
      .issue({ userName: userNameSchema.parse('viewer'), roles: ['Users'] })
      .split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, roles: ['Administrators'] })).toString('base64url');
    await expect(verifier.verify([header, forged, signature].join('.'))).rejects.toMatchObject(refused);
  });
});

describe('what is published', () => {
  it('has the public half of the key alone', () => {
    const [jwk] = issuer.jwks().keys;
    expect(jwk).toEqual({ kty: 'EC', crv: 'P-256', x: jwk?.x, y: jwk?.y, kid: key.kid, use: 'sig', alg: 'ES256' });
  });
});

function unsigned(header: object): string {
  const payload = { sub: 'admin', roles: ['Administrators'], iss: 'waybill', aud: 'waybill', exp: 4_000_000_000 };
  return `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
}

function macedWithPublicKey(): string {
  const unsignedToken = unsigned({ alg: 'HS256', kid: key.kid }).slice(0, -1);
  const pem = key.publicKey.export({ format: 'pem', type: 'spki' });
  return `${unsignedToken}.${createHmac('sha256', pem).update(unsignedToken).digest('base64url')}`;
}
