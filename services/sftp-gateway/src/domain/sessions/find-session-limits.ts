import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { Clusters } from './require-server.ts';
import type { ServerAddress } from './server-session.ts';
import type { SessionLimits } from './session-slots.ts';

/** Used if the configuration sets no limits. */
const defaults: SessionLimits = { ofServer: 10_000, ofUser: 2_000 };

/**
 * The limits of the present configuration. A user's own limit takes precedence over the server's limit for every user.
 */
export async function findSessionLimits(
  clusters: Clusters,
  { clusterName, serverName }: ServerAddress,
  user: Pick<PartnerUser, 'maxSessions'>,
): Promise<SessionLimits> {
  const cluster = await clusters.findCluster(clusterName);
  const server = cluster?.servers.find(({ name }) => name === serverName);
  return {
    ofServer: server?.maxSessions ?? defaults.ofServer,
    ofUser: user.maxSessions ?? server?.maxSessionsPerUser ?? defaults.ofUser,
  };
}
