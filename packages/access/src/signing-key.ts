import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { KeyKind, KeyStore } from '@waybill/signing-keys/key-store';
import type { PublicJwk } from './jwks.ts';
import { publicJwkOf } from './public-jwk-of.ts';

/** A verification key: EC on P-256, for ES256 (RFC 7518 section 3.4). */
export interface VerificationKey {
  /** The thumbprint of the public key (RFC 7638), so that the same key always has the same name. */
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** The public key in its published form. */
  readonly jwk: PublicJwk;
}

/** A signing key. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

/** Adds the id to a private EC key on P-256. @throws Error for any other kind of key */
export function createSigningKey(privateKey: KeyObject): SigningKey {
  return { ...nameKey(createPublicKey(privateKey)), privateKey };
}

/** Keys for ES256 in PEM files. For keys that only verify, the public half is enough. */
export const es256Keys: KeyKind<VerificationKey, SigningKey> = {
  make: () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  parse: (text) => createSigningKey(readPem(() => createPrivateKey(text), 'holds no private key in PEM')),
  parsePrevious: (text) => nameKey(readPem(() => createPublicKey(text), 'holds no key in PEM')),
};

/** The keys of the access tokens, which `ACCESS_SIGNING_KEY_FILE` names. */
export function tokenKeyStore(file: string): KeyStore<VerificationKey, SigningKey> {
  return { purpose: 'tokens', setting: 'ACCESS_SIGNING_KEY_FILE', file, kind: es256Keys };
}

function nameKey(publicKey: KeyObject): VerificationKey {
  const jwk = publicJwkOf(publicKey);
  return { kid: jwk.kid, publicKey, jwk };
}

function readPem(read: () => KeyObject, fault: string): KeyObject {
  try {
    return read();
  } catch (cause) {
    throw new Error(fault, { cause });
  }
}
