import type { readReceiptEndpoint } from '@waybill/contracts/endpoints/files/receipts/read-receipt';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { ReceiptBook } from '../../domain/receipts/receipt-book.ts';
import type { ReceiptSigner } from '../../domain/receipts/receipt-signer.ts';

/** Returns a receipt of the caller; receipts of others are not found. */
export function createReadReceiptHandler(ports: {
  receipts: Pick<ReceiptBook, 'find'>;
  signer: ReceiptSigner;
}): SessionHandler<typeof readReceiptEndpoint, Caller> {
  const { receipts, signer } = ports;
  return async ({ params, principal: { userName } }) => {
    const receipt = await receipts.find(userName, params.fileset);
    if (receipt === undefined) throw new CodedError('receipt_unknown');
    return {
      status: 200,
      body: { ...receipt, storedAt: receipt.storedAt.toISOString(), jws: signer.sign(receipt) },
    };
  };
}
