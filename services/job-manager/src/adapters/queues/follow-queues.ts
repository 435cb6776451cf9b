import type { Queryable } from '@waybill/postgres/database';
import { sourcesOf, transitionTable } from '../../domain/jobs/transition-table.ts';
import type { QueueSettings } from '../../domain/queues/queue-settings.ts';
import { removedMessage } from '../../domain/queues/why-closed.ts';

/** Jobs that one statement changes at most: the locks of a long one would hold up the claims. */
const batch = 1_000;

/**
 * Suspends jobs that wait in a queue that is closed, paused or removed, with the reason that the queue gives; and makes those
 * ready again whose queue is open. Returns how many were suspended. The pauses are read by the statements themselves: a pause
 * that is ended waits for the statement that suspends jobs because of it, so that no job is suspended after that.
 */
export async function followQueues(database: Queryable, queues: readonly QueueSettings[]): Promise<number> {
  const enabled = queues.filter((queue) => queue.enabled).map(({ name }) => name);
  const reasons = Object.fromEntries(queues.map(({ name, closedBecause }) => [name, closedBecause]));
  let suspended = 0;
  for (let count = batch; count === batch; suspended += count) count = await suspendBatch(database, enabled, reasons);
  for (let count = batch; count === batch;) count = await reopenBatch(database, enabled);
  return suspended;
}

/**
 * The queues in which jobs are ready are found by skipping from one to the next in the index: there may be very many
 * such jobs. A job that was suspended before, and was to go on, is suspended without another line in its history.
 */
async function suspendBatch(
  database: Queryable,
  enabled: readonly string[],
  reasons: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { rows } = await database.raw<{ rows: { count: number }[] }>(
    `WITH RECURSIVE present AS (
       (SELECT queue FROM jobs.active WHERE ready ORDER BY queue LIMIT 1)
       UNION ALL
       SELECT (SELECT queue FROM jobs.active WHERE ready AND queue > present.queue ORDER BY queue LIMIT 1)
       FROM present WHERE present.queue IS NOT NULL),
     paused AS (SELECT queue, message FROM jobs.queue_pauses FOR SHARE),
     closed AS (
       SELECT present.queue, coalesce(paused.message, CAST(:reasons AS jsonb) ->> present.queue, :removed) AS reason
       FROM present LEFT JOIN paused ON paused.queue = present.queue
       WHERE paused.queue IS NOT NULL OR present.queue <> ALL(CAST(:enabled AS text[]))),
     before AS (
       SELECT found.*, closed.reason FROM closed CROSS JOIN LATERAL (
         SELECT job_id, status FROM jobs.active
         WHERE ready AND active.queue = closed.queue AND (status = ANY(:sources) OR status = :target)
         ORDER BY job_id LIMIT :batch FOR UPDATE SKIP LOCKED) AS found LIMIT :batch),
     moved AS (
       UPDATE jobs.active SET status = :target, ready = false,
         status_message = before.reason,
         updated_at = CASE before.status WHEN :target THEN updated_at ELSE clock_timestamp() END
       FROM before WHERE active.job_id = before.job_id
       RETURNING active.job_id, before.status AS status_before, active.status, active.status_message),
     noted AS (
       INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
       SELECT job_id, status_before, status, 'suspend', 'platform', status_message FROM moved WHERE status_before <> status)
     SELECT count(*)::int AS count FROM moved`,
    {
      enabled: [...enabled],
      reasons: JSON.stringify(reasons),
      removed: removedMessage,
      sources: [...sourcesOf('suspend')],
      target: transitionTable.suspend.to,
      batch,
    },
  );
  return rows[0]?.count ?? 0;
}

/** Its status changes when a worker claims it. A job that waits for a time is left alone. */
async function reopenBatch(database: Queryable, enabled: readonly string[]): Promise<number> {
  const { rowCount } = await database.raw<{ rowCount: number }>(
    `UPDATE jobs.active SET ready = true, since = clock_timestamp() WHERE job_id IN (
       SELECT job_id FROM jobs.active
       WHERE status = :suspended AND NOT ready AND due_at IS NULL AND queue = ANY(CAST(:enabled AS text[]))
         AND queue NOT IN (SELECT queue FROM jobs.queue_pauses)
       LIMIT :batch FOR UPDATE SKIP LOCKED)`,
    { suspended: transitionTable.suspend.to, enabled: [...enabled], batch },
  );
  return rowCount;
}

/**
 * Gives the suspended jobs of a queue the reason that the queue has now: its pause, or why it is closed. Jobs that wait for a
 * time keep theirs.
 */
export async function restateReason(
  database: Queryable,
  queue: string,
  closedBecause: string | undefined,
): Promise<void> {
  for (let count = batch; count === batch;) {
    const { rowCount } = await database.raw<{ rowCount: number }>(
      `WITH present AS (
         SELECT coalesce((SELECT message FROM jobs.queue_pauses WHERE queue = :queue), CAST(:closedBecause AS text)) AS reason)
       UPDATE jobs.active SET status_message = present.reason FROM present WHERE job_id IN (
         SELECT job_id FROM jobs.active
         WHERE status = :suspended AND NOT ready AND due_at IS NULL AND queue = :queue AND status_message <> present.reason
         LIMIT :batch FOR UPDATE SKIP LOCKED)`,
      { queue, closedBecause: closedBecause ?? null, suspended: transitionTable.suspend.to, batch },
    );
    count = rowCount;
  }
}
