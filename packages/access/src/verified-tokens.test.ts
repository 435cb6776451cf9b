import { generateKeyPairSync } from 'node:crypto';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { type KeySet, onlyKey } from '@waybill/signing-keys/key-set';
import { afterEach, expect, it, vi } from 'vitest';
import { ownKeySource } from './key-source.ts';
import { createSigningKey, type SigningKey, type VerificationKey } from './signing-key.ts';
import { createTokenIssuer } from './token-issuer.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { rememberVerifiedTokens, type VerifiedToken } from './verified-tokens.ts';

const newKey = () => createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const names = { issuer: 'waybill', audience: 'waybill' };
const admin = { userName: userNameSchema.parse('admin'), roles: ['Administrators'] } as const;
const refused = { code: 'not_authenticated' };

afterEach(() => {
  vi.useRealTimers();
});

/** A verifier whose keys can be replaced, and a token of the first key that it has verified. */
async function verifiedToken() {
  const key = newKey();
  const keys: { current: KeySet<VerificationKey, SigningKey> } = { current: onlyKey(key).current };
  const verified: string[] = [];
  const verifier = createTokenVerifier({ keys: ownKeySource(keys), ...names, verified: (kid) => verified.push(kid) });
  const token = createTokenIssuer({ keys: onlyKey(key), ...names }).issue(admin);
  await verifier.verify(token);
  return { key, keys, verifier, verified, token };
}

it('a repeated token identifies the same caller, and is counted for its key', async () => {
  const { key, verifier, verified, token } = await verifiedToken();
  expect(await verifier.verify(token)).toMatchObject(admin);
  expect(verified).toEqual([key.kid, key.kid]);
});

it('a token that was verified before is refused as soon as its key is withdrawn', async () => {
  const { keys, verifier, token } = await verifiedToken();
  keys.current = onlyKey(newKey()).current;
  await expect(verifier.verify(token)).rejects.toMatchObject(refused);
});

it('a token that was verified before is refused if another key has the id of its key', async () => {
  const { key, keys, verifier, token } = await verifiedToken();
  keys.current = onlyKey({ ...newKey(), kid: key.kid }).current;
  await expect(verifier.verify(token)).rejects.toMatchObject(refused);
});

it('a token that was verified before is accepted after its key has become a previous one', async () => {
  const { key, keys, verifier, token } = await verifiedToken();
  keys.current = { active: newKey(), next: undefined, previous: [key] };
  expect(await verifier.verify(token)).toMatchObject(admin);
});

it('a token that was verified before expires at the time that it names, and the tolerance', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { verifier, token } = await verifiedToken();
  vi.advanceTimersByTime(904_000);
  expect(await verifier.verify(token)).toMatchObject(admin);
  vi.advanceTimersByTime(1_000);
  await expect(verifier.verify(token)).rejects.toMatchObject(refused);
});

it('a token with the content of a verified one and another signature is refused', async () => {
  const { verifier, token } = await verifiedToken();
  const [header, payload, signature = ''] = token.split('.');
  const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  await expect(verifier.verify([header, payload, other].join('.'))).rejects.toMatchObject(refused);
  await expect(verifier.verify([header, payload, ''].join('.'))).rejects.toMatchObject(refused);
});

it('memory is bounded: the oldest token is forgotten first', () => {
  const { publicKey: key, kid } = newKey();
  const verified: VerifiedToken = { kid, key, identity: { ...admin, expiresAt: 0 } };
  const tokens = rememberVerifiedTokens(2);
  for (const token of ['first', 'second', 'third']) tokens.keep(token, verified);
  expect(['first', 'second', 'third'].map((token) => tokens.find(token) !== undefined)).toEqual([false, true, true]);
});
