import { describe, expect, it } from 'vitest';
import { passwordObjections } from './password-objections.ts';

const rules = { minimumLength: 12, blockCommon: true };
const common = ['is one of those that are guessed first'];
const objectionsTo = (password: string, userName = 'umbrella') => passwordObjections(rules, userName, password);

describe('a password', () => {
  it.each([
    'correct horse battery',
    'Zwölf Boxkämpfer jagen',
    'x9!kQ2#vLp0$',
    '密码是很长的一句话没有人猜到',
    ' leading blanks  ',
  ])('is allowed: %s', (password) => {
    expect(objectionsTo(password)).toEqual([]);
  });

  it.each([
    'Password1234!',
    'P@ssw0rd!!!!!!',
    '1234passwor d'.replace(' ', ''),
    'passwordpassword',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabc',
    '12345678901234',
    'zyxwvutsrqponm',
    '09876543210987',
    'QWERTYUIOP123456',
  ])('is refused as common: %s', (password) => {
    expect(objectionsTo(password)).toEqual(common);
    expect(passwordObjections({ ...rules, blockCommon: false }, 'umbrella', password)).toEqual([]);
  });

  it('is measured in characters, not in units: emoji and combining marks count once', () => {
    expect(objectionsTo('🦊🐢🦉🐝🦀🐙🦋🐌🦔🐡🦜')).toEqual(['needs 12 characters or more']);
    expect(objectionsTo('🦊🐢🦉🐝🦀🐙🦋🐌🦔🐡🦜🐿')).toEqual([]);
    expect(objectionsTo(`${'e\u0301x'.repeat(4)}q`)).toEqual(['needs 12 characters or more']);
  });

  it('does not contain the user name, in any case; a short name may occur, but not be the whole', () => {
    expect(objectionsTo('my UMBRELLA is red')).toEqual(['contains the user name']);
    expect(objectionsTo('a long enough bob text', 'bob')).toEqual([]);
    expect(passwordObjections({ ...rules, minimumLength: 3 }, 'xqz', 'XQZ')).toEqual(['contains the user name']);
  });

  it('gets every objection at once', () => {
    expect(objectionsTo('')).toEqual(['needs 12 characters or more']);
    expect(objectionsTo('password')).toEqual(['needs 12 characters or more', ...common]);
  });

  it('is judged quickly, however long and odd it is', () => {
    const before = process.cpuUsage().user;
    for (const text of [`${'ab'.repeat(511)}c`, 'a'.repeat(1_024), `${'1'.repeat(1_023)}a`]) objectionsTo(text);
    expect(process.cpuUsage().user - before).toBeLessThan(500_000);
  });
});
