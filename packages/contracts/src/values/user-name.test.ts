import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptedUserName, userNameSchema } from './user-name.ts';

const accept = (text: string) => userNameSchema.safeParse(text).success;

describe('userNameSchema', () => {
  it('normalises all spellings to one name', () => {
    for (const text of ['m\u00fcller', 'mu\u0308ller']) expect(userNameSchema.parse(text)).toBe('m\u00fcller');
    for (const text of ['\u212bngstr\u00f6m', 'A\u030angstro\u0308m']) {
      expect(userNameSchema.parse(text)).toBe('\u00c5ngstr\u00f6m');
    }
    expect(userNameSchema.parse('Acme')).toBe('Acme');
  });

  it.each([
    ['an empty text', ''],
    ['NUL', 'a\0b'],
    ['a control character', 'a\u0085b'],
    ['a lone surrogate', 'a\ud800'],
    ['256 characters', 'a'.repeat(256)],
    ['a character that becomes too long', '\u{1D160}'.repeat(100)],
  ])('refuses %s', (_what, text) => {
    expect(accept(text)).toBe(false);
  });

  it('measures the normalised name', () => {
    expect(accept('a'.repeat(255))).toBe(true);
    expect(userNameSchema.parse('u\u0308'.repeat(255))).toHaveLength(255);
    expect(accept('u\u0308'.repeat(256))).toBe(false);
  });

  it('does not normalise what is too long for a name', () => {
    // Worst case of canonical ordering: normalising it takes minutes.
    const text = `a${'\u0345'.repeat(250_000)}${'\u0334'.repeat(250_000)}`;
    expect(accept(text)).toBe(false);
    expect(attemptedUserName(text).length).toBeLessThanOrEqual(255);
  });
});

describe('attemptedUserName', () => {
  it('is the name where the text can be one', () => {
    expect(attemptedUserName('mu\u0308ller')).toBe('m\u00fcller');
  });

  it.each([
    '',
    '\0',
    'a\0b',
    'a\ud800',
    'a'.repeat(256),
    'u\u0308'.repeat(256),
    `${'a'.repeat(253)}\u{1F600}\u{1F600}\u{1F600}`,
  ])('is a printable name that no user has for %j', (text) => {
    const name = attemptedUserName(text);
    expect(name).toContain('\uFFFD');
    expect(userNameSchema.parse(name)).toBe(name);
  });

  it('accepts any text, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const name = attemptedUserName(text);
        expect(attemptedUserName(name)).toBe(name);
        expect(name).toBe(name.normalize('NFC'));
      }),
    );
  });
});
