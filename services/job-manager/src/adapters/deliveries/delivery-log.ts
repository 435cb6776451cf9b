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
 * Logs the deliveries of an attempt of a step, with the body if it may be kept. Of an error only its code is kept: its text may
 * quote the response.
 */
export function createDeliveryLog(db: Database, attempt: LoggedAttempt, limits: BodyLimits): StepDeliveries {
  return {
    logDelivery: async ({ connection, path, body }, send, signal) => {
      const begun = performance.now();
      const answer: { status: number | null } = { status: null };
      const log = async (error: string | null): Promise<void> => {
        const durationMs = Math.round(performance.now() - begun);
        const isKept = limits.days > 0 && Buffer.byteLength(body) <= limits.bytes;
        const content = { path, body: isKept ? body : null };
        await db.raw(insert, { ...attempt, ...content, connection, durationMs, status: answer.status, error });
      };
      const sent = send((status) => (answer.status = status));
      const result = await sent.catch(async (error: unknown) => {
        await log(codeOf(error, signal));
        throw error;
      });
      await log(null);
      return result;
    },
  };
}

const insert = `
  WITH logged AS (
    INSERT INTO jobs.webhook_deliveries (job_id, step, attempt, connection, webhook_id, begun_at, duration_ms, status, error)
    VALUES (:job, :step, :attempt, :connection, :webhookId,
      clock_timestamp() - CAST(:durationMs AS int) * interval '1 millisecond', :durationMs, :status, :error)
    RETURNING id, job_id)
  INSERT INTO jobs.webhook_bodies (job_id, delivery_id, path, body)
  SELECT job_id, id, :path, CAST(:body AS text) FROM logged WHERE CAST(:body AS text) IS NOT NULL`;

/** What is kept of an error: its code, or `interrupted` after an abort. */
export function codeOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return 'interrupted';
  return isCodedError(error) ? error.code : 'internal_error';
}
