import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** The public keys whose signatures are trusted. */
export interface TrustedKeys {
  /** The 32 bytes of each key, base64url. */
  readonly publicKeys: readonly string[];
  /** True when a trusted key (32 bytes, base64url) made this signature (base64url) of the text. */
  verify(signed: { publicKey: string; text: string; signature: string }): boolean;
  has(publicKey: string): boolean;
}

/** The finding for a signature of an unknown key. Without the key, alteration cannot be detected. */
export function signedByUnknown(publicKey: string): string {
  return `was signed by ${publicKey}, which is not trusted: name it in AUDIT_TRUSTED_PUBLIC_KEYS if it is a retired key of this platform`;
}

/** True for the 32 bytes of an Ed25519 key (base64url). */
export function isPublicKey(text: string): boolean {
  try {
    importKey(text);
    return true;
  } catch {
    return false;
  }
}

/** Trusts these Ed25519 keys. @throws Error if one of them is not such a key */
export function createTrustedKeys(publicKeys: readonly string[]): TrustedKeys {
  const keys = new Map<string, KeyObject>(publicKeys.map((x) => [x, importKey(x)]));
  return {
    publicKeys: [...keys.keys()],
    has: (publicKey) => keys.has(publicKey),
    verify: ({ publicKey, text, signature }) => {
      const key = keys.get(publicKey);
      return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
    },
  };
}

function importKey(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
