import type { Database } from '@waybill/postgres/database';
import type { Finding } from '../../domain/platform/watched-part.ts';

/** What PostgreSQL says of itself. */
export interface DatabaseDetails {
  readonly version: string;
  readonly role: 'primary' | 'standby';
  readonly replicas: number;
  readonly connections: number;
  readonly connectionsAtMost: number;
  readonly oldestTransactionSeconds: number | null;
}

/** The query is given up then, so that it does not hold a connection of the pool. */
const queryTimeoutMs = 5_000;

const fullAbove = 0.9;
const longTransactionSeconds = 3_600;

/** Asks PostgreSQL how it does. What other roles do is shown to members of `pg_read_all_stats` only. */
export async function checkDatabase(db: Database): Promise<Finding<DatabaseDetails>> {
  const { rows } = await db
    .raw<{ rows: DatabaseDetails[] }>(
      `SELECT current_setting('server_version') AS version,
         CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END AS role,
         (SELECT count(*)::int FROM pg_stat_replication) AS replicas,
         count(*) FILTER (WHERE usesysid IS NOT NULL AND datid IS NOT NULL)::int AS connections,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true), '0')::int AS "connectionsAtMost",
         extract(epoch FROM clock_timestamp() - min(xact_start) FILTER (WHERE pid <> pg_backend_pid()
           AND backend_type = 'client backend'))::float8 AS "oldestTransactionSeconds"
       FROM pg_stat_activity`,
    )
    .timeout(queryTimeoutMs);
  const [details] = rows;
  if (details === undefined) throw new Error('PostgreSQL said nothing of itself');
  const reason = concernOf(details);
  return { state: reason === undefined ? 'up' : 'degraded', reason, details };
}

function concernOf(details: DatabaseDetails): string | undefined {
  const { role, connections, connectionsAtMost, oldestTransactionSeconds } = details;
  if (role === 'standby') return 'PostgreSQL is a standby: nothing can be changed';
  if (connections > fullAbove * connectionsAtMost)
    return `${connections} of ${connectionsAtMost} connections of PostgreSQL are open`;
  if (oldestTransactionSeconds !== null && oldestTransactionSeconds > longTransactionSeconds)
    return 'A transaction has been open for more than an hour';
  return undefined;
}
