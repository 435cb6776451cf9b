import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** Applies clusters with their servers. */
export async function applyClusters(
  applying: Applying,
  { clusters }: PlatformConfiguration,
): Promise<readonly Change[]> {
  const wanted = clusters.map((cluster) => ({ name: cluster.name, definition: cluster }));
  const { entities, changes } = await reconcileEntities(applying, { entityType: 'Cluster', table: 'clusters' }, wanted);
  const parts = clusters.flatMap(({ name, servers }) => {
    const cluster = entities.get(name);
    if (!cluster?.rewritten) return [];
    const rows = servers.map(({ name: server, protocol, maxSessions, maxSessionsPerUser }, position) => ({
      position,
      name: server,
      protocol,
      max_sessions: maxSessions ?? null,
      max_sessions_per_user: maxSessionsPerUser ?? null,
    }));
    return [{ ...cluster, rows }];
  });
  await replaceParts(applying.trx, 'servers', 'cluster_id', parts);
  return changes;
}
