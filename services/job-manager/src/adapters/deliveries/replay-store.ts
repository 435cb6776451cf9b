import type { ActorOfJob } from '@waybill/directory/access/actor-of-job';
import type { Database } from '@waybill/postgres/database';
import type { WebhookContent, WebhookDelivery } from '../../domain/deliveries/webhook-delivery.ts';

/** A replay that a worker has taken. */
export interface TakenReplay extends WebhookContent, ActorOfJob {
  /** Of the delivery that comes of it. */
  readonly id: string;
  readonly webhookId: string;
}

/**
 * Takes replays, the oldest first, for as long as the lease: afterwards another worker may take them. Those whose delivery, job or
 * body was removed meanwhile are dropped.
 */
export async function takeReplays(db: Database, limit: number, leaseMs: number): Promise<TakenReplay[]> {
  const { rows } = await db.raw<{
    rows: (Omit<TakenReplay, 'actorId'> & { readonly actorId: string | null; readonly isComplete: boolean })[];
  }>(
    `WITH taken AS (
       UPDATE jobs.webhook_replays SET leased_until = clock_timestamp() + CAST(:leaseMs AS int) * interval '1 millisecond'
       WHERE id IN (
         SELECT id FROM jobs.webhook_replays WHERE leased_until < clock_timestamp()
         ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED)
       RETURNING id, job_id, replay_of)
     SELECT t.id, j.actor, j.actor_id AS "actorId", j.created_at AS "createdAt", d.connection, d.webhook_id AS "webhookId", b.path, b.body,
       j.id IS NOT NULL AND d.id IS NOT NULL AND b.body IS NOT NULL AS "isComplete"
     FROM taken AS t
     LEFT JOIN jobs.jobs AS j ON j.id = t.job_id
     LEFT JOIN jobs.webhook_deliveries AS d ON d.job_id = t.job_id AND d.id = t.replay_of
     LEFT JOIN jobs.webhook_bodies AS b ON b.job_id = t.job_id AND b.delivery_id = t.replay_of`,
    { limit, leaseMs },
  );
  const removed = rows.filter(({ isComplete }) => !isComplete).map(({ id }) => id);
  if (removed.length > 0) await db('jobs.webhook_replays').whereIn('id', removed).delete();
  const complete = rows.filter(({ isComplete }) => isComplete);
  return complete.map(({ actorId, ...replay }) => ({ ...replay, actorId: actorId ?? undefined }));
}

/** Logs what came of a replay as a delivery. If another worker has done so, it does nothing. */
export async function settleReplay(
  db: Database,
  { id }: Pick<TakenReplay, 'id'>,
  result: Pick<WebhookDelivery, 'durationMs' | 'status' | 'error' | 'reason'>,
): Promise<void> {
  await db.raw(
    `WITH done AS (DELETE FROM jobs.webhook_replays WHERE id = :id RETURNING id, job_id, replay_of)
     INSERT INTO jobs.webhook_deliveries
       (id, job_id, step, attempt, connection, webhook_id, begun_at, duration_ms, status, error, reason, replay_of)
     SELECT done.id, d.job_id, d.step, d.attempt, d.connection, d.webhook_id,
       clock_timestamp() - CAST(:durationMs AS int) * interval '1 millisecond', :durationMs, :status, :error, :reason, d.id
     FROM done JOIN jobs.webhook_deliveries AS d ON d.job_id = done.job_id AND d.id = done.replay_of`,
    { id, ...result },
  );
}

/** Gives a replay back to the other workers. */
export async function releaseReplay(db: Database, { id }: Pick<TakenReplay, 'id'>): Promise<void> {
  await db.raw(`UPDATE jobs.webhook_replays SET leased_until = '-infinity' WHERE id = :id`, { id });
}

/** The number of replays that no worker has carried out yet. */
export async function countReplays(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'SELECT CAST(count(*) AS int) AS count FROM jobs.webhook_replays',
  );
  return rows[0]?.count ?? 0;
}

/** Removes bodies that are older, as many as this; returns how many there were. */
export async function removeBodies(db: Database, days: number, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM jobs.webhook_bodies WHERE (job_id, delivery_id) IN (
       SELECT job_id, delivery_id FROM jobs.webhook_bodies
       WHERE stored_at < clock_timestamp() - CAST(:days AS int) * interval '1 day' LIMIT :limit)`,
    { days, limit },
  );
  return rowCount;
}
