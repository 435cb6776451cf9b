import { es256Keys, type SigningKey, type VerificationKey } from '@waybill/access/signing-key';
import type { KeyStore } from '@waybill/signing-keys/key-store';

/** The keys of the upload receipts, which `RECEIPT_SIGNING_KEY_FILE` names. */
export function receiptKeyStore(file: string): KeyStore<VerificationKey, SigningKey> {
  return { purpose: 'receipts', setting: 'RECEIPT_SIGNING_KEY_FILE', file, kind: es256Keys };
}
