import { describe, expect, it } from 'vitest';
import { parseArgon2idPhc } from './argon2id-phc.ts';
import { hashPassword } from './hash-password.ts';
import { verifyPassword } from './verify-password.ts';

/** Time of the processors that this process has used: other work of the machine does not count. */
function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('verifyPassword', () => {
  it('knows the password that was hashed, and no other', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'correct horsf')).toBe(false);
    expect(await verifyPassword(stored, '')).toBe(false);
  });

  it('treats canonically equivalent characters as equal', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9'), 'cafe\u0301')).toBe(true);
  });

  it('reads argon2id hashes of other programs with other costs', async () => {
    const stored = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$c29tZXRhZ3NvbWV0YWdzb21ldGFnc29tZXRhZzE';
    expect(parseArgon2idPhc(stored)).toMatchObject({ memoryKib: 64, passes: 1, parallelism: 1 });
    expect(await verifyPassword(stored, 'anything')).toBe(false);
  });

  it.each([
    undefined,
    '',
    'plain text',
    '$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$c29tZXRhZw',
    '$2b$10$abcdefghijklmnopqrstuv',
  ])('does the same work without a user and for an invalid hash: %s', async (stored) => {
    const known = await hashPassword('secret');
    const timed = async (hash: string | undefined): Promise<number> => {
      const before = process.cpuUsage();
      expect(await verifyPassword(hash, 'other')).toBe(false);
      return microsecondsSince(before);
    };
    const [forSomebody, forNobody] = [await timed(known), await timed(stored)];
    expect(forNobody).toBeGreaterThan(forSomebody / 5);
  });
});

it('does not normalise what is longer than any password', async () => {
  const stored = await hashPassword('secret');
  const before = process.cpuUsage();
  expect(await verifyPassword(stored, `a${'\u0345'.repeat(100_000)}${'\u0334'.repeat(100_000)}`)).toBe(false);
  // Normalising it takes half a minute; the hash takes 25 ms.
  expect(microsecondsSince(before)).toBeLessThan(10_000_000);
  expect(await verifyPassword(await hashPassword('\u{1F600}'.repeat(1_024)), '\u{1F600}'.repeat(1_024))).toBe(true);
});

describe('hashPassword', () => {
  it('salts: the same password never has the same hash twice', async () => {
    const [one, other] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
    expect(one).not.toBe(other);
  });
});
