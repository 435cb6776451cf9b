import type { listOwnTransfersEndpoint } from '@waybill/contracts/endpoints/files/account/list-own-transfers';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { ListOwnTransfers, OwnTransfer, TransferPlace } from '../../domain/account/own-transfers.ts';

/** Lists the transfers of the caller. */
export function createListOwnTransfersHandler(parts: {
  listOwnTransfers: ListOwnTransfers;
}): SessionHandler<typeof listOwnTransfersEndpoint, Caller> {
  return async ({ principal, query: { maxItems: limit, cursor } }) => {
    const { transfers, next } = await parts.listOwnTransfers(principal, { after: placeOf(cursor), limit });
    return {
      status: 200,
      body: { transfers: transfers.map(presentTransfer), ...(next && { next: `${next.at}-${next.sequence}` }) },
    };
  };
}

function placeOf(cursor: string | undefined): TransferPlace | undefined {
  const [at, sequence] = cursor?.split('-') ?? [];
  return at === undefined || sequence === undefined ? undefined : { at: Number(at), sequence };
}

function presentTransfer({ at, path, dfiid, address, client, size, receipt, ...transfer }: OwnTransfer) {
  const { direction, fileset } = transfer;
  return {
    direction,
    at: at.toISOString(),
    path: path ?? null,
    fileset: fileset ?? null,
    dfiid: dfiid ?? null,
    address: address ?? null,
    client: client ?? null,
    size: size ?? null,
    receipt: receipt && fileset !== undefined ? { ...receipt, address: `/2.0/receipts/${fileset}` } : null,
  };
}
