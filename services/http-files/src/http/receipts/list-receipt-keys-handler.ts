import type { listReceiptKeysEndpoint } from '@waybill/contracts/endpoints/files/receipts/list-receipt-keys';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { ReceiptSigner } from '../../domain/receipts/receipt-signer.ts';

/** The keys that verify receipts. */
export function createListReceiptKeysHandler(ports: {
  signer: Pick<ReceiptSigner, 'publicKeys'>;
}): EndpointHandler<typeof listReceiptKeysEndpoint> {
  return async () => ({ status: 200, body: { keys: ports.signer.publicKeys() } });
}
