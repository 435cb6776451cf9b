import type { KeyStore } from '@waybill/signing-keys/key-store';
import { es256Keys, type SigningKey, type VerificationKey } from './signing-key.ts';

/** The keys of the access tokens, which `ACCESS_SIGNING_KEY_FILE` names. */
export function tokenKeyStore(file: string): KeyStore<VerificationKey, SigningKey> {
  return { purpose: 'tokens', setting: 'ACCESS_SIGNING_KEY_FILE', file, kind: es256Keys };
}
