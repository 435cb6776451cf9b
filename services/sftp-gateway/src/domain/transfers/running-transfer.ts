import type { TransferOrder } from '@waybill/contracts/messages/running-transfer';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { LiveSession, ServerAddress } from '../sessions/server-session.ts';

/** A transfer that runs on some peer. */
export interface RunningTransfer extends ServerAddress {
  readonly id: string;
  readonly protocol: Protocol;
  readonly userName: string;
  readonly clientAddress: string;
  readonly path: string | null;
  readonly direction: 'upload' | 'download';
  readonly bytes: number;
  readonly bytesPerSecond: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The transfers of all HTTP servers. */
export interface HttpTransfers {
  /** Those of all peers; `omitted`: how many more there are. */
  list(): Promise<{ transfers: RunningTransfer[]; omitted: number }>;
  /** Ends a transfer; false if its peer does not answer. */
  end(id: string, order: TransferOrder): Promise<boolean>;
}

/** The transfer of a session over SFTP, if it has one. */
export function transferOfSession({ server, session, activity }: LiveSession): RunningTransfer | undefined {
  const { file, direction, bytesPerSecond, fileBytes = 0, fileSince = session.openedAt } = activity;
  if (file === null || direction === null) return undefined;
  const { sessionId: id, userName, clientIp } = session;
  const clientAddress = clientIp
    .replace(/^\//u, '')
    .replace(/:\d+$/u, '')
    .replace(/^\[(.*)\]$/u, '$1');
  const bytes = { bytes: fileBytes, bytesPerSecond, since: fileSince };
  return { ...server, id, protocol: 'SFTP', userName, clientAddress, path: file, direction, ...bytes };
}
