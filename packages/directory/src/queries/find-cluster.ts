import type { Queryable } from '@waybill/postgres/database';
import type { Cluster } from '../directory.ts';
import { queryRows, searchableName } from './query-rows.ts';

/** The cluster with this name, with its servers in the order of the configuration. */
export async function findCluster(on: Queryable, name: string): Promise<Cluster | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const rows = await queryRows<Cluster>(
    on,
    `SELECT c.id, c.name,
            (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'protocol', s.protocol,
                      'maxSessions', s.max_sessions, 'maxSessionsPerUser', s.max_sessions_per_user) ORDER BY s.position)
               FROM directory.servers s WHERE s.cluster_id = c.id) AS servers
       FROM directory.clusters c WHERE c.name = :name`,
    { name: searched },
  );
  return rows[0];
}
