import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** A server of a protocol, and its cluster. */
export interface ProtocolServer {
  readonly cluster: string;
  readonly name: string;
}

/** A server in sentences: `cluster1/sftp-server`. */
export function serverTitle({ cluster, name }: ProtocolServer): string {
  return `${cluster}/${name}`;
}

/**
 * The servers of a protocol, of all clusters or of those that are named, in the order of the configuration.
 * @throws CodedError `cluster_unknown`, `server_unknown`
 */
export async function findServers(
  on: Queryable,
  named: {
    readonly protocol: Protocol;
    readonly cluster?: string | undefined;
    readonly server?: string | undefined;
  },
): Promise<ProtocolServer[]> {
  const { protocol, cluster, server } = named;
  const rows = await queryRows<ProtocolServer & { protocol: Protocol | null }>(
    on,
    `SELECT c.name AS cluster, s.name, s.protocol
       FROM directory.clusters c LEFT JOIN directory.servers s ON s.cluster_id = c.id
      ORDER BY c.id, s.position`,
  );
  const ofCluster = rows.filter((row) => cluster === undefined || row.cluster === cluster);
  if (cluster !== undefined && ofCluster.length === 0) {
    throw new CodedError('cluster_unknown', { detail: `There is no cluster '${cluster}'` });
  }
  const found = ofCluster.filter((row) => row.protocol === protocol && (server === undefined || row.name === server));
  if (server !== undefined && found.length === 0) {
    throw new CodedError('server_unknown', { detail: `There is no ${protocol} server '${server}'` });
  }
  return found.map(({ cluster: of, name }) => ({ cluster: of, name }));
}
