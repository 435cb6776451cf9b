import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { Secret } from '@waybill/service-kit/config/secret';
import type { KeyRing } from './key-ring.ts';

/** The identity of a secret: it belongs to an actor, or to the platform if `owner` is empty. */
export interface SecretId {
  readonly owner: string;
  readonly name: string;
}

/** An encrypted secret as it is stored. */
export interface SealedSecret {
  readonly keyId: string;
  /** A version byte, the nonce (12 bytes), the tag (16 bytes), the ciphertext. */
  readonly ciphertext: Buffer;
}

const algorithm = 'aes-256-gcm';
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;

/**
 * Encrypts a secret with the active key by AES-256-GCM with a random nonce (NIST SP 800-38D, section 8.2.2: up to 2^32
 * encryptions per key). The identity of the secret is authenticated: a ciphertext that is moved to another name, owner or key
 * id cannot be decrypted.
 */
export function sealSecret(ring: KeyRing, id: SecretId, value: Secret): SealedSecret {
  const keyId = ring.activeId;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, ring.keyOf(keyId), nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(id, keyId));
  const encrypted = Buffer.concat([cipher.update(value.reveal(), 'utf8'), cipher.final()]);
  return { keyId, ciphertext: Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), encrypted]) };
}

/** Decrypts a secret. @throws CodedError `secret_unreadable`, without any of its bytes */
export function unsealSecret(ring: KeyRing, id: SecretId, { keyId, ciphertext }: SealedSecret): Secret {
  const key = ring.keyOf(keyId);
  if (ciphertext.length < headBytes || ciphertext[0] !== version) unreadable(id, 'its form is unknown');
  const nonce = ciphertext.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(id, keyId));
  decipher.setAuthTag(ciphertext.subarray(1 + nonceBytes, headBytes));
  try {
    return new Secret(Buffer.concat([decipher.update(ciphertext.subarray(headBytes)), decipher.final()]).toString());
  } catch {
    return unreadable(id, `it was altered or moved, or the key ${keyId} is not the one that encrypted it`);
  }
}

function associatedData({ owner, name }: SecretId, keyId: string): Buffer {
  return Buffer.from(JSON.stringify(['waybill secret', version, owner, name, keyId]));
}

function unreadable({ name }: SecretId, reason: string): never {
  throw new CodedError('secret_unreadable', { detail: `The secret ${name} cannot be decrypted: ${reason}` });
}
