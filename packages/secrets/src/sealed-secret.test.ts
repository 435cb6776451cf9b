import { Secret } from '@waybill/service-kit/config/secret';
import { describe, expect, it } from 'vitest';
import { newKeyRingEntry, parseKeyRing } from './key-ring.ts';
import { sealSecret, unsealSecret } from './sealed-secret.ts';

const one = newKeyRingEntry(new Date('2026-01-01'));
const other = newKeyRingEntry(new Date('2026-02-01'));
const ring = parseKeyRing(one, 'SECRET_KEYS');
const id = { owner: 'acme', name: 'sftp' };
const value = new Secret('pässword\n with lines');
const code = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('a sealed secret', () => {
  it('is opened with the identity and the key that it was sealed with', () => {
    expect(unsealSecret(ring, id, sealSecret(ring, id, value)).reveal()).toBe(value.reveal());
  });

  it('differs each time, and holds nothing of its value', () => {
    const [first, second] = [sealSecret(ring, id, value), sealSecret(ring, id, value)];
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
    expect(first.ciphertext.includes(Buffer.from('word'))).toBe(false);
  });

  it('cannot be moved to another owner or name, or to another key of the ring', () => {
    const both = parseKeyRing(`${one}\n${other}`, 'SECRET_KEYS');
    const sealed = sealSecret(ring, id, value);
    expect(code(() => unsealSecret(ring, { ...id, owner: 'globex' }, sealed))).toBe('secret_unreadable');
    expect(code(() => unsealSecret(ring, { ...id, owner: '' }, sealed))).toBe('secret_unreadable');
    expect(code(() => unsealSecret(ring, { ...id, name: 'http' }, sealed))).toBe('secret_unreadable');
    const [, otherId = ''] = both.ids;
    expect(code(() => unsealSecret(both, id, { ...sealed, keyId: otherId }))).toBe('secret_unreadable');
  });

  it('is refused if a byte of it is changed, or some are missing', () => {
    const { keyId, ciphertext } = sealSecret(ring, id, value);
    for (let at = 0; at < ciphertext.length; at += 1) {
      const changed = Buffer.from(ciphertext);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      expect(code(() => unsealSecret(ring, id, { keyId, ciphertext: changed }))).toBe('secret_unreadable');
    }
    for (const length of [0, 1, 28, 29, ciphertext.length - 1]) {
      const cut = ciphertext.subarray(0, length);
      expect(code(() => unsealSecret(ring, id, { keyId, ciphertext: cut }))).toBe('secret_unreadable');
    }
  });

  it('is opened by a ring in which its key is retired, and not by one without it', () => {
    const sealed = sealSecret(ring, id, value);
    expect(unsealSecret(parseKeyRing(`${other},${one}`, 'SECRET_KEYS'), id, sealed).reveal()).toBe(value.reveal());
    expect(code(() => unsealSecret(parseKeyRing(other, 'SECRET_KEYS'), id, sealed))).toBe('secret_unreadable');
  });
});

describe('a key ring', () => {
  it('encrypts with its first key', () => {
    expect(parseKeyRing(` ${other} \n\n${one}\n`, 'SECRET_KEYS').activeId).toBe(other.split(':')[0]);
  });

  it.each([
    ['nothing', ' \n '],
    ['a key without an id', other.split(':')[1] ?? ''],
    ['a short key', 'a:c2hvcnQ='],
    ['a long key', `${one}AAAA`],
    ['an id twice', `${one} ${one}`],
  ])('is refused with %s, without naming a key', (_, text) => {
    expect(code(() => parseKeyRing(text, 'SECRET_KEYS'))).toBe('configuration_invalid');
    try {
      parseKeyRing(text, 'SECRET_KEYS');
    } catch (error) {
      expect(String(error)).toContain('SECRET_KEYS');
      expect(String(error)).not.toContain(one.split(':')[1]);
    }
  });

  it('does not print its keys', () => {
    const key = one.split(':')[1] ?? '';
    expect(JSON.stringify([ring, ring.keyOf(ring.activeId)])).not.toContain(key);
  });
});
