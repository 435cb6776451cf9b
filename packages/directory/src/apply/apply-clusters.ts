import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import type { Change } from './change.ts';
import { reconcileEntities } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** Applies clusters with their servers. */
export async function applyClusters(trx: Transaction, { clusters }: PlatformConfiguration): Promise<readonly Change[]> {
  const wanted = clusters.map((cluster) => ({ name: cluster.name, definition: cluster }));
  const { entities, changes } = await reconcileEntities(trx, { entityType: 'Cluster', table: 'clusters' }, wanted);
  for (const { name, servers } of clusters) {
    const cluster = entities.get(name);
    if (!cluster?.rewritten) continue;
    const rows = servers.map(({ name, protocol, maxSessions, maxSessionsPerUser }, position) => ({
      position,
      name,
      protocol,
      max_sessions: maxSessions ?? null,
      max_sessions_per_user: maxSessionsPerUser ?? null,
    }));
    await replaceParts(trx, 'servers', { cluster_id: cluster.id }, rows);
  }
  return changes;
}
