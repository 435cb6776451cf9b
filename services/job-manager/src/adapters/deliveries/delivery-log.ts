import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import type { StepDeliveries, WebhookDelivery } from '../../domain/deliveries/webhook-delivery.ts';

/** What the deliveries of an attempt have in common. */
export type LoggedAttempt = Pick<WebhookDelivery, 'job' | 'step' | 'attempt' | 'webhookId'>;

/** Which bodies are kept, so that deliveries can be replayed. */
export interface BodyLimits {
  readonly days: number;
  readonly bytes: number;
}

/**
 * Logs the deliveries of an attempt of a step, with the body if it may be kept. Of an error its code is
 * kept, and its text only without a response, which it may quote.
 */
export function createDeliveryLog(db: Database, attempt: LoggedAttempt, limits: BodyLimits): StepDeliveries {
  return {
    logDelivery: async ({ connection, path, body }, send, signal) => {
      const begun = performance.now();
      const answer: { status: number | null } = { status: null };
      const log = async (failure: DeliveryFailure): Promise<void> => {
        const durationMs = Math.round(performance.now() - begun);
        const isKept = limits.days > 0 && Buffer.byteLength(body) <= limits.bytes;
        const content = { path, body: isKept ? body : null };
        await db.raw(insert, { ...attempt, ...content, connection, durationMs, status: answer.status, ...failure });
      };
      const sent = send((status) => (answer.status = status));
      const result = await sent.catch(async (error: unknown) => {
        await log(failureOf(error, answer.status, signal));
        throw error;
      });
      await log({ error: null, reason: null });
      return result;
    },
  };
}

const insert = `
  WITH logged AS (
    INSERT INTO jobs.webhook_deliveries (job_id, step, attempt, connection, webhook_id, begun_at, duration_ms, status, error, reason)
    VALUES (:job, :step, :attempt, :connection, :webhookId,
      clock_timestamp() - CAST(:durationMs AS int) * interval '1 millisecond', :durationMs, :status, :error, :reason)
    RETURNING id, job_id)
  INSERT INTO jobs.webhook_bodies (job_id, delivery_id, path, body)
  SELECT job_id, id, :path, CAST(:body AS text) FROM logged WHERE CAST(:body AS text) IS NOT NULL`;

/** What is kept of a failure; nothing of what was delivered. */
export type DeliveryFailure = Pick<WebhookDelivery, 'error' | 'reason'>;

/** Longer reasons are cut. */
const reasonAtMost = 1_000;

/** What is kept of an error: its code, or `interrupted` after an abort, and its text if there was no response. */
export function failureOf(error: unknown, status: number | null, { aborted }: AbortSignal): DeliveryFailure {
  if (aborted) return { error: 'interrupted', reason: null };
  if (!isCodedError(error)) return { error: 'internal_error', reason: null };
  return { error: error.code, reason: status === null ? error.message.slice(0, reasonAtMost) : null };
}
