import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import type { Signer } from './domain/keys/signer.ts';

/** A signing key of the audit log. Its id is its public key. */
export interface AuditSigningKey extends Signer, NamedKey {}

/** The keys of the audit log (Ed25519), which `AUDIT_SIGNING_KEY_FILE` names. */
export function auditKeyStore(file: string): KeyStore<NamedKey, AuditSigningKey> {
  return {
    purpose: 'audit',
    setting: 'AUDIT_SIGNING_KEY_FILE',
    file,
    kind: {
      make: () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      parse: (text) => {
        const key = readPem(() => createPrivateKey(text), 'holds no private key in PEM');
        const publicKey = publicKeyOf(key);
        return {
          kid: publicKey,
          publicKey,
          sign: (signed) => sign(null, Buffer.from(signed), key).toString('base64url'),
        };
      },
      parsePrevious: (text) => ({ kid: publicKeyOf(readPem(() => createPublicKey(text), 'holds no key in PEM')) }),
    },
  };
}

/** The 32 bytes of the public key, base64url. */
function publicKeyOf(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('holds a key of another type than Ed25519');
  const { x = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return x;
}

function readPem(read: () => KeyObject, fault: string): KeyObject {
  try {
    return read();
  } catch (cause) {
    throw new Error(fault, { cause });
  }
}
