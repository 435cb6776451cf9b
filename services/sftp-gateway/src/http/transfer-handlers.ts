import type { endRunningTransferEndpoint } from '@waybill/contracts/endpoints/server-sessions/end-running-transfer';
import type { listRunningTransfersEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-running-transfers';
import type { RunningTransferView } from '@waybill/contracts/endpoints/server-sessions/running-transfer';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { endTransfer, listTransfers, type TransferPorts } from '../domain/transfers/end-transfer.ts';
import type { RunningTransfer } from '../domain/transfers/running-transfer.ts';
import type { ReachedUsers } from './session-handlers.ts';

/** The transfers of all peers that match the query. */
export function createListTransfersHandler(
  ports: Pick<TransferPorts, 'registry' | 'httpTransfers'> & { readonly reachedUsers: ReachedUsers },
): EndpointHandler<typeof listRunningTransfersEndpoint> {
  return async ({ query: { maxItem, ...wanted }, actors }) => {
    const reaches = await ports.reachedUsers(actors);
    const { transfers, omitted } = await listTransfers(ports);
    const matching = transfers.filter(
      (transfer) =>
        (wanted.clusterName ?? transfer.clusterName) === transfer.clusterName &&
        (wanted.peerName ?? transfer.peerName) === transfer.peerName &&
        (wanted.serverName ?? transfer.serverName) === transfer.serverName &&
        (wanted.userName ?? transfer.userName) === transfer.userName &&
        (wanted.protocol ?? transfer.protocol) === transfer.protocol &&
        (wanted.direction ?? transfer.direction) === transfer.direction &&
        reaches(transfer.userName),
    );
    const isFiltered = actors !== undefined || Object.values(wanted).some((value) => value !== undefined);
    const totalCount = matching.length + (isFiltered ? 0 : omitted);
    return { status: 200, body: { totalCount, transfers: matching.slice(0, maxItem).map(present) } };
  };
}

/** Ends a transfer. */
export function createEndTransferHandler(
  ports: TransferPorts & { readonly reachedUsers: ReachedUsers },
): EndpointHandler<typeof endRunningTransferEndpoint> {
  return async ({ params, principal, actors }) => {
    const by = { requestedBy: principal.userName, reaches: await ports.reachedUsers(actors) };
    return { status: 200, body: present(await endTransfer(ports, params.transferId, by)) };
  };
}

function present({ id: transferId, since, bytes, bytesPerSecond, ...transfer }: RunningTransfer): RunningTransferView {
  const { protocol, clusterName, peerName, serverName, userName, clientAddress, path, direction } = transfer;
  return {
    transferId,
    protocol,
    clusterName,
    peerName,
    serverName,
    userName,
    clientAddress,
    path,
    direction,
    bytes: Math.max(0, bytes),
    bytesPerSecond: Math.max(0, bytesPerSecond),
    since: new Date(since).toISOString(),
  };
}
