import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { PauseChange, QueueDepth, QueuePause, QueueStore } from '../../domain/queues/queue-store.ts';
import { readWait } from './read-wait.ts';

/** The pauses and the depths of queues, in PostgreSQL. */
export function createKnexQueueStore(db: Database, site: JobSite): QueueStore {
  const changed = (
    statement: string,
    values: readonly string[],
    fact: 'queuePaused' | 'queueResumed',
    change: PauseChange,
  ): Promise<boolean> =>
    db.transaction(async (trx) => {
      const { rowCount } = await trx.raw<{ rowCount: number }>(statement, [...values]);
      if (rowCount === 1) await auditPause(trx, site, fact, change);
      return rowCount === 1;
    });
  return {
    pauses: async () => {
      const { rows } = await db.raw<{ rows: QueuePause[] }>(
        'SELECT queue, paused_by AS by, paused_at AS at, reason, message FROM jobs.queue_pauses ORDER BY queue',
      );
      return rows;
    },
    depths: (queue) => readDepths(db, queue),
    waitingJob: (id) => readWait(db, id),
    pause: (change) => changed(pausing, [change.queue, change.by, change.reason], 'queuePaused', change),
    resume: (change) =>
      changed('DELETE FROM jobs.queue_pauses WHERE queue = ?', [change.queue], 'queueResumed', change),
  };
}

const pausing = `
  INSERT INTO jobs.queue_pauses (queue, paused_by, paused_at, reason, message)
  SELECT queue, paused_by, at, reason, format('The queue was paused by %s at %s (UTC): %s', paused_by,
    to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), reason)
  FROM (VALUES (CAST(? AS text), CAST(? AS text), CAST(? AS text), clock_timestamp()))
    AS pause (queue, paused_by, reason, at)
  ON CONFLICT DO NOTHING`;

interface DepthRow {
  queue: string;
  waiting: number;
  suspended: number;
  running: number;
  id: string | null;
  since: Date | null;
}

/**
 * The counts and the job that has waited longest, in one pass over the jobs that have not ended. A job without a time that it waits for,
 * as a step, a delay or a lease gives it, waits for a worker or for its queue.
 */
async function readDepths(db: Database, queue: string | undefined): Promise<Map<string, QueueDepth>> {
  const { rows } = await db.raw<{ rows: DepthRow[] }>(
    `SELECT counted.queue, waiting, suspended, running, oldest[2] AS id,
       (SELECT since FROM jobs.active WHERE job_id = oldest[2]) AS since
     FROM (
       SELECT queue, count(*) FILTER (WHERE status = 'SUBMITTED')::int AS waiting,
         count(*) FILTER (WHERE status = 'SUSPENDED')::int AS suspended,
         count(*) FILTER (WHERE status = 'RUNNING')::int AS running,
         min(ARRAY[CAST(extract(epoch FROM since) * 1000000 AS bigint), job_id]) FILTER (WHERE due_at IS NULL) AS oldest
       FROM jobs.active WHERE CAST(:queue AS text) IS NULL OR queue = :queue GROUP BY queue) AS counted`,
    { queue: queue ?? null },
  );
  return new Map(
    rows.map(({ queue: name, id, since, ...counts }) => [
      name,
      { ...counts, oldestWaiting: id === null || since === null ? undefined : { id: Number(id), since } },
    ]),
  );
}

/** As part of the transaction of the change. */
async function auditPause(
  transaction: Transaction,
  site: JobSite,
  fact: 'queuePaused' | 'queueResumed',
  { queue, queueId, by, reason }: PauseChange,
): Promise<void> {
  const given = reason === undefined ? '' : `: ${reason}`;
  const payload = composeAuditEvent(fact, {
    user: by,
    nodeId: site.nodeName,
    managerName: site.managerName,
    entityType: 'Job Queue',
    entityName: queue,
    entityId: queueId,
    context: { reason },
    names: { reason: fact === 'queuePaused' ? (reason ?? '') : given },
  });
  await appendToOutbox(transaction, [{ topic: 'audit-event', payload }]);
}
