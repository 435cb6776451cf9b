import { sign } from 'node:crypto';
import { es256Keys, type SigningKey, type VerificationKey } from '@waybill/access/signing-key';
import { keysOf, type KeysInForce } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import type { ReceiptSigner } from '../domain/receipts/receipt-signer.ts';

/** The keys of the upload receipts, in `RECEIPT_SIGNING_KEY_FILE`. */
export function receiptKeyStore(file: string): KeyStore<VerificationKey, SigningKey> {
  return { purpose: 'receipts', setting: 'RECEIPT_SIGNING_KEY_FILE', file, kind: es256Keys };
}

/** Signs with ES256 (RFC 7518 section 3.4) and the key that is active at the time. */
export function createEs256ReceiptSigner(options: {
  keys: KeysInForce<VerificationKey, SigningKey>;
  issuer: string;
}): ReceiptSigner {
  const { keys, issuer } = options;
  return {
    publicKeys: () => keysOf(keys.current).map(({ key }) => ({ ...key.jwk })),
    sign: ({ storedAt, ...receipt }) => {
      const { kid, privateKey } = keys.current.active;
      const header = encode({ alg: 'ES256', typ: 'waybill-receipt+jws', kid });
      const signed = `${header}.${encode({ iss: issuer, ...receipt, storedAt: storedAt.toISOString() })}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
