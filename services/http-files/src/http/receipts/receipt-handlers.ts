import type { listReceiptKeysEndpoint } from '@waybill/contracts/endpoints/files/receipts/list-receipt-keys';
import type { readReceiptEndpoint } from '@waybill/contracts/endpoints/files/receipts/read-receipt';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { ReceiptBook } from '../../domain/receipts/receipt-book.ts';
import type { ReceiptSigner } from '../../domain/receipts/receipt-signer.ts';

/** The keys that verify receipts. */
export function createListReceiptKeysHandler(ports: {
  signer: Pick<ReceiptSigner, 'publicKeys'>;
}): EndpointHandler<typeof listReceiptKeysEndpoint> {
  return async () => ({ status: 200, body: { keys: ports.signer.publicKeys() } });
}

/** Returns a receipt of the caller; receipts of others are not found. */
export function createReadReceiptHandler(ports: {
  receipts: Pick<ReceiptBook, 'find'>;
  signer: ReceiptSigner;
}): SessionHandler<typeof readReceiptEndpoint, Caller> {
  const { receipts, signer } = ports;
  return async ({ params, principal: { user } }) => {
    const receipt = await receipts.find(user, params.fileset);
    if (receipt === undefined) throw new CodedError('receipt_unknown');
    return {
      status: 200,
      body: { ...receipt, storedAt: receipt.storedAt.toISOString(), jws: signer.sign(receipt) },
    };
  };
}
