import { dictionary } from '@zxcvbn-ts/language-common';

const known = new Set(dictionary['passwords-common']);

const substitutes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** A shorter rest, such as `abc` of `abc-long-passphrase-1`, says nothing about the whole. */
const leastLength = 4;

/**
 * Whether attackers try a password early: it is a common one, also with other capitals, with digits and signs around it or in
 * the place of letters; or it repeats a short or common text; or it is a sequence such as `123456789012`.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFC').toLowerCase();
  const repeated = /^(.+?)\1+$/su.exec(text)?.[1];
  if (repeated !== undefined) return Array.from(repeated).length <= leastLength || isCommonPassword(repeated);
  return isSequence(text) || variantsOf(text).some((variant) => variant.length >= leastLength && known.has(variant));
}

function variantsOf(text: string): string[] {
  const bare = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const plain = text.replaceAll(/[0134577@$!]/gu, (sign) => substitutes[sign] ?? sign);
  return [text, bare, plain, plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')];
}

/** Whether each character follows the one before it, up or down; the digits go on with 0 after 9. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => stepBetween(codes[index] ?? 0, code));
  const [first] = steps;
  return Math.abs(first ?? 0) === 1 && steps.every((step) => step === first);
}

function stepBetween(before: number, after: number): number {
  const [zero, nine] = [48, 57];
  if (before === nine && after === zero) return 1;
  return before === zero && after === nine ? -1 : after - before;
}
