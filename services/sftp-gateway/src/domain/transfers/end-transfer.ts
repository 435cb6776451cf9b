import { CodedError } from '@waybill/contracts/errors/coded-error';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { Clusters } from '../sessions/require-server.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import type { SessionTerminator } from '../sessions/session-terminator.ts';
import { terminateSession } from '../sessions/terminate-session.ts';
import { type HttpTransfers, type RunningTransfer, transferOfSession } from './running-transfer.ts';

/** What ends transfers of both protocols. */
export interface TransferPorts {
  readonly clusters: Clusters;
  readonly registry: SessionRegistry;
  readonly terminator: SessionTerminator;
  readonly httpTransfers: HttpTransfers;
}

/** The transfers of all peers, the oldest first. */
export async function listTransfers(
  ports: Pick<TransferPorts, 'registry' | 'httpTransfers'>,
): Promise<{ transfers: RunningTransfer[]; omitted: number }> {
  const [sessions, overHttp] = await Promise.all([ports.registry.listAll(), ports.httpTransfers.list()]);
  const overSftp = sessions.flatMap((session) => transferOfSession(session) ?? []);
  const transfers = [...overSftp, ...overHttp.transfers].toSorted(
    (one, other) => one.since - other.since || one.id.localeCompare(other.id),
  );
  return { transfers, omitted: overHttp.omitted };
}

/**
 * Ends a transfer on any peer, over SFTP with its session, and returns its last state.
 * @throws CodedError `transfer_unknown`, `peer_not_answering`, and as `terminateSession` does
 */
export async function endTransfer(
  ports: TransferPorts,
  id: string,
  { requestedBy, reaches }: { readonly requestedBy: string; reaches(userName: string): boolean },
): Promise<RunningTransfer> {
  const found = (await listTransfers(ports)).transfers.find((transfer) => transfer.id === id);
  if (!found || !reaches(found.userName))
    throw new CodedError('transfer_unknown', { detail: `There is no running transfer '${id}'` });
  const { clusterName, peerName, serverName } = found;
  if (found.protocol === 'SFTP') {
    await terminateSession(ports, { clusterName, peerName, serverName, sessionId: id, requestedBy, reaches });
    return found;
  }
  if (await ports.httpTransfers.end(id, { requestedBy, requestedFrom: currentClient() })) return found;
  throw new CodedError('peer_not_answering', { detail: `Peer '${peerName}' has not ended the transfer in time` });
}
