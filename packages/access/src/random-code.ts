import { createHash, randomInt } from 'node:crypto';

/** Crockford's base 32: no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code that people type, of five random bits for each character: two groups of five are `A1B2C-D3E4F`. */
export function randomCode(groups: number, groupLength: number): string {
  return Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');
}

/** What is stored of a code. It is random and long: a plain hash is enough. Case, blanks and dashes are ignored. */
export function codeHash(code: string): Buffer {
  return createHash('sha256').update(code.replaceAll(/[\s-]/gu, '').toUpperCase()).digest();
}
