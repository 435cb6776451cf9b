import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';

/** A store of Ed25519 keys, of which previous ones may be public. */
export function ed25519Store(file: string): KeyStore<NamedKey> {
  return {
    purpose: 'tests',
    setting: 'TEST_KEY_FILE',
    file,
    kind: {
      make: () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      parse: (text) => ({ kid: kidOf(text, createPrivateKey) }),
      parsePrevious: (text) => ({ kid: kidOf(text, createPublicKey) }),
    },
  };
}

function kidOf(text: string, read: (text: string) => object): string {
  try {
    read(text);
    const { x = '' } = createPublicKey(text).export({ format: 'jwk' });
    return x;
  } catch (cause) {
    throw new Error('holds no key in PEM', { cause });
  }
}
