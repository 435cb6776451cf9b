import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Cluster } from '@waybill/directory/directory';
import type { ServerAddress } from './server-session.ts';
import type { SessionRegistry } from './session-registry.ts';

/** The configured clusters, with the servers that their peers offer. */
export interface Clusters {
  findCluster(name: string): Promise<Pick<Cluster, 'servers'> | undefined>;
}

/**
 * Checks that a server exists and that the peer is up and offers it.
 * @throws CodedError `cluster_unknown`, `server_unknown`, `peer_unknown`, each naming what is missing
 */
export async function requireServer(
  ports: { clusters: Clusters; registry: SessionRegistry },
  { clusterName, peerName, serverName }: ServerAddress,
): Promise<void> {
  const cluster = await ports.clusters.findCluster(clusterName);
  if (cluster === undefined) {
    throw new CodedError('cluster_unknown', { detail: `There is no cluster '${clusterName}'` });
  }
  if (!cluster.servers.some(({ name, protocol }) => name === serverName && protocol === 'SFTP')) {
    throw new CodedError('server_unknown', {
      detail: `There is no SFTP server '${serverName}' in cluster '${clusterName}'`,
    });
  }
  const offered = await ports.registry.servers(clusterName, peerName);
  if (offered === undefined) {
    throw new CodedError('peer_unknown', { detail: `There is no peer '${peerName}' up in cluster '${clusterName}'` });
  }
  if (!offered.includes(serverName)) {
    throw new CodedError('server_unknown', { detail: `Peer '${peerName}' has no SFTP server '${serverName}'` });
  }
}
