import { newKeyRingEntry, parseKeyRing } from '@waybill/secrets/key-ring';
import { afterEach, expect, it, vi } from 'vitest';
import { createSealedLoginCookies } from './sealed-login-cookies.ts';

const ringOf = (entries: string) => () => parseKeyRing(entries, 'ACCESS_SECRET_KEYS');
const key = newKeyRingEntry();
const cookies = createSealedLoginCookies(ringOf(key));
const login = { state: 'state', nonce: 'nonce', verifier: 'verifier' };

afterEach(() => void vi.useRealTimers());

it('a login comes back from its cookie, at every manager with the key, and is not readable', () => {
  const cookie = cookies.seal(login);
  expect(Buffer.from(cookie.split('.')[0] ?? '', 'base64url').toString('latin1')).not.toContain('verifier');
  const next = createSealedLoginCookies(ringOf(`${newKeyRingEntry()} ${key}`));
  expect(next.open(cookie, 'state')).toMatchObject(login);
});

it('a cookie is good for its own state and key, unaltered, and for ten minutes', () => {
  const cookie = cookies.seal(login);
  expect(cookies.open(cookie, 'another')).toBeUndefined();
  expect(createSealedLoginCookies(ringOf(newKeyRingEntry())).open(cookie, 'state')).toBeUndefined();
  for (const text of ['', '.', 'x', cookie.slice(1), `A${cookie}`, `${cookie}x`]) {
    expect(cookies.open(text, 'state')).toBeUndefined();
  }
  vi.useFakeTimers({ now: Date.now() + 600_001 });
  expect(cookies.open(cookie, 'state')).toBeUndefined();
});
