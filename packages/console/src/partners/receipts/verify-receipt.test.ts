import { expect, it } from 'vitest';
import { verifyReceipt } from './verify-receipt.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const keys = [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'k1' }];
const payload = {
  iss: 'waybill',
  fileset: '7',
  userName: 'acme',
  path: '/inbox/a.csv',
  size: 3,
  sha256: 'ab',
  storedAt: '2026-03-02T08:15:30.410Z',
  dfiid: 'd1',
};

const encodeBytes = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const encode = (value: unknown): string => encodeBytes(new TextEncoder().encode(JSON.stringify(value)));

async function signed(header: object, content: unknown = payload): Promise<string> {
  const text = `${encode(header)}.${encode(content)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    privateKey,
    new TextEncoder().encode(text),
  );
  return `${text}.${encodeBytes(new Uint8Array(signature))}`;
}

it('accepts a signature of a published key, and returns what was signed', async () => {
  const jws = await signed({ alg: 'ES256', kid: 'k1' });
  expect(await verifyReceipt(jws, keys)).toEqual({ keyId: 'k1', isGenuine: true, signed: payload });
});

const genuine = await signed({ alg: 'ES256', kid: 'k1' });
const [header = '', , signature = ''] = genuine.split('.');

it.each([
  ['another payload', `${header}.${encode({ ...payload, size: 4 })}.${signature}`],
  ['no signature', `${header}.${encode(payload)}.`],
  ['the algorithm none', `${encode({ alg: 'none', kid: 'k1' })}.${encode(payload)}.`],
  ['a key of its own', await signed({ alg: 'ES256', jwk: keys[0] })],
  ['a key that is not published', await signed({ alg: 'ES256', kid: 'k2' })],
  ['a payload that is no receipt', await signed({ alg: 'ES256', kid: 'k1' }, [1])],
  ['a fourth part', `${genuine}.x`],
  ['no JWS at all', 'x'],
])('refuses %s', async (_what, jws) => {
  expect(await verifyReceipt(jws, keys)).toMatchObject({ signed: undefined });
});
