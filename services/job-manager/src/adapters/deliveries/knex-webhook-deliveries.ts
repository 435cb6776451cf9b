import type { ActorScope } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { isOfPresentActor } from '@waybill/directory/access/present-actor-sql';
import { withCurrentClient } from '@waybill/outbox/append-messages';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type {
  DeliveryDetails,
  DeliveryQuery,
  DeliveryReplay,
  WebhookDeliveries,
  WebhookDelivery,
} from '../../domain/deliveries/webhook-delivery.ts';

/** The delivery log in PostgreSQL, and the replays that are asked for. */
export function createKnexWebhookDeliveries(db: Database, site: JobSite): WebhookDeliveries {
  return {
    list: (query) => listDeliveries(db, query),
    find: (id, actors) => findDelivery(db, id, actors),
    requestReplay: (id, { userName, actors }) =>
      db.transaction(async (trx) => {
        const replayed = await findDelivery(trx, id, actors);
        const replay = await insertReplay(trx, replayed);
        await auditReplay(trx, { site, userName, replayed, replay });
        return await findDelivery(trx, replay, actors);
      }),
  };
}

interface DeliveryRow extends Omit<WebhookDelivery, 'id' | 'job' | 'replayOf'> {
  readonly id: string;
  readonly job: string;
  readonly replayOf: string | null;
}

const columns = `id, job_id AS job, step, attempt, connection, webhook_id AS "webhookId", begun_at AS "begunAt",
  duration_ms AS "durationMs", status, error, reason, replay_of AS "replayOf"`;

/** The columns of the table that the others are made of. */
const stored = `id, job_id, step, attempt, connection, webhook_id, begun_at, duration_ms, status, error, reason, replay_of`;

/** Whether a job belongs to one of the actors that have the names `:actors` now, or all are meant. */
const ofActors = (jobId: string): string =>
  `(CAST(:actors AS jsonb) IS NULL OR EXISTS (SELECT FROM jobs.jobs WHERE jobs.id = ${jobId}
     AND jobs.actor IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb))) AND ${isOfPresentActor}))`;

const namesOf = (actors: ActorScope): string | null => (actors === undefined ? null : JSON.stringify(actors));

async function listDeliveries(db: Database, query: DeliveryQuery): ReturnType<WebhookDeliveries['list']> {
  const { connection = null, job = null, outcome, before = null, limit, actors } = query;
  const failed = outcome === undefined ? '' : `AND error IS ${outcome === 'failed' ? 'NOT ' : ''}NULL`;
  const { rows } = await db.raw<{ rows: DeliveryRow[] }>(
    `SELECT ${columns} FROM jobs.webhook_deliveries
     WHERE (CAST(:connection AS text) IS NULL OR connection = :connection)
       AND (CAST(:job AS bigint) IS NULL OR job_id = :job)
       AND (CAST(:before AS bigint) IS NULL OR id < :before) ${failed} AND ${ofActors('job_id')}
     ORDER BY id DESC LIMIT :limit`,
    { connection, job, before, actors: namesOf(actors), limit: limit + 1 },
  );
  const deliveries = rows.slice(0, limit).map(deliveryOf);
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)?.id : undefined };
}

/** A delivery, or a replay that is to become one. The body is that of the first delivery. */
async function findDelivery(on: Queryable, id: number, actors: ActorScope): Promise<DeliveryDetails> {
  const { rows } = await on.raw<{ rows: (DeliveryRow & { isPending: boolean; body: string | null })[] }>(
    `SELECT ${columns}, "isPending", b.body FROM (
       SELECT ${stored}, false AS "isPending" FROM jobs.webhook_deliveries WHERE id = :id
       UNION ALL
       SELECT r.id, d.job_id, d.step, d.attempt, d.connection, d.webhook_id, r.requested_at, 0, NULL, NULL, NULL, d.id, true
       FROM jobs.webhook_replays AS r
       JOIN jobs.webhook_deliveries AS d ON d.job_id = r.job_id AND d.id = r.replay_of WHERE r.id = :id) AS found
     LEFT JOIN LATERAL (
       SELECT body FROM jobs.webhook_bodies
       WHERE job_id = found.job_id AND delivery_id = coalesce(found.replay_of, found.id)) AS b ON true
     WHERE ${ofActors('found.job_id')}
     ORDER BY "isPending" LIMIT 1`,
    { id, actors: namesOf(actors) },
  );
  const [row] = rows;
  if (row) {
    const delivery = deliveryOf(row);
    return { ...delivery, isPending: row.isPending, body: row.body, replays: await replaysOf(on, delivery) };
  }
  throw new CodedError('webhook_delivery_unknown', { detail: `There is no delivery ${id} of a webhook` });
}

/** Replays that are shown. */
const replaysAtMost = 100;

/** The replays of a delivery, or of that which it replays, with those that no worker has carried out yet. */
async function replaysOf(on: Queryable, { id, job, replayOf }: WebhookDelivery): Promise<DeliveryReplay[]> {
  const { rows } = await on.raw<{ rows: (Omit<DeliveryReplay, 'id'> & { id: string })[] }>(
    `SELECT id, begun_at AS "begunAt", error, false AS "isPending"
     FROM jobs.webhook_deliveries WHERE job_id = :job AND replay_of = :first
     UNION ALL
     SELECT id, requested_at, NULL, true FROM jobs.webhook_replays WHERE replay_of = :first
     ORDER BY id DESC LIMIT :limit`,
    { job, first: replayOf ?? id, limit: replaysAtMost },
  );
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

function deliveryOf({ id, job, replayOf, ...row }: DeliveryRow): WebhookDelivery {
  const { step, attempt, connection, webhookId, begunAt, durationMs, status, error, reason } = row;
  const numbers = { id: Number(id), job: Number(job), replayOf: replayOf === null ? null : Number(replayOf) };
  return { ...numbers, step, attempt, connection, webhookId, begunAt, durationMs, status, error, reason };
}

/** Returns the number of the delivery that is to come of it. A replay of a replay is one of the first delivery. */
async function insertReplay(
  trx: Transaction,
  { id, job, replayOf, body, isPending }: DeliveryDetails,
): Promise<number> {
  const first = replayOf ?? id;
  if (isPending) throw pending(first);
  if (body === null) {
    throw new CodedError('webhook_body_removed', { detail: `The body of the delivery ${first} is not kept` });
  }
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `INSERT INTO jobs.webhook_replays (id, replay_of, job_id)
     VALUES (nextval('jobs.webhook_delivery_ids'), :first, :job) ON CONFLICT (replay_of) DO NOTHING RETURNING id`,
    { first, job },
  );
  const [row] = rows;
  if (!row) throw pending(first);
  return Number(row.id);
}

function pending(first: number): CodedError {
  const detail = `A replay of the delivery ${first} has not ended yet`;
  return new CodedError('webhook_replay_pending', { detail });
}

async function auditReplay(
  trx: Transaction,
  parts: { site: JobSite; userName: string; replayed: DeliveryDetails; replay: number },
): Promise<void> {
  const { site, userName: user, replayed, replay } = parts;
  const payload = composeAuditEvent('webhookReplayed', {
    user,
    nodeId: site.nodeName,
    managerName: site.managerName,
    entityType: 'Webhook Delivery',
    entityName: replayed.connection,
    entityId: String(replay),
    names: { former: String(replayed.id), job: String(replayed.job) },
  });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload: withCurrentClient(payload) }]);
}
