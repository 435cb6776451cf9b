import type { Queryable } from '@waybill/postgres/database';
import { sourcesOf, transitionTable } from '../domain/transition-table.ts';

/** Suspends the jobs that wait in a queue that is not among these. Returns the count. */
export async function suspendOutside(
  database: Queryable,
  enabledQueues: readonly string[],
  message: string,
): Promise<number> {
  const { rowCount } = await database.raw<{ rowCount: number }>(
    `WITH moved AS (
       UPDATE jobs.jobs SET status = :target, status_message = :message, updated_at = now(), fence = fence + 1
       WHERE status = ANY(:sources) AND status IN ('SUBMITTED', 'SUSPENDED') AND queue <> ALL(:enabledQueues)
       RETURNING id, status, status_message)
     INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
     SELECT id, :source, status, 'suspend', 'platform', status_message FROM moved`,
    {
      target: transitionTable.suspend.to,
      sources: [...sourcesOf('suspend')],
      source: transitionTable.suspend.from[0],
      enabledQueues: [...enabledQueues],
      message,
    },
  );
  return rowCount;
}
