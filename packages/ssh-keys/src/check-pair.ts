import { createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto';
import { refuse } from './key-refusal.ts';

/**
 * Refuses a file whose public part does not belong to its private one: the public key of an ECDSA or RSA key is read from the
 * file, and anything can be there. The private key signs, and the public one verifies. @throws KeyRefusal
 */
export function assertPairBelongsTogether(key: KeyObject): void {
  if (key.asymmetricKeyType === 'rsa') assertConsistentRsa(key.export({ format: 'jwk' }));
  const data = Buffer.from('a text that is signed');
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!verifies(key, digest, data)) refuseMismatch();
}

function verifies(key: KeyObject, digest: string | null, data: Buffer): boolean {
  try {
    return verify(digest, data, createPublicKey(key), sign(digest, data, key));
  } catch {
    return false;
  }
}

/** Otherwise a factor could be longer than the modulus, and take long to calculate with; the sizes follow from the product. */
function assertConsistentRsa(jwk: JsonWebKey): void {
  const number = (field: 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi'): bigint =>
    BigInt(`0x0${Buffer.from(jwk[field] ?? '', 'base64url').toString('hex')}`);
  const [modulus, first, second] = [number('n'), number('p'), number('q')];
  const [exponent, inverse] = [number('e'), number('d')];
  const isConsistent =
    first > 1n &&
    second > 1n &&
    first * second === modulus &&
    exponent >= 3n &&
    inverse < modulus &&
    (exponent * inverse) % (first - 1n) === 1n &&
    (exponent * inverse) % (second - 1n) === 1n &&
    number('dp') < first &&
    number('dq') < second &&
    number('qi') < first;
  if (!isConsistent) refuseMismatch();
}

function refuseMismatch(): never {
  refuse('is damaged: its public part does not belong to the private one');
}
