import type { Database, Transaction } from '@waybill/postgres/database';
import { type Decision, type StepWait, stepWaitSchema } from '../../domain/queues/step-wait.ts';

/** A job that waits for a file. */
export interface FileWait {
  readonly jobId: number;
  readonly wait: Extract<StepWait, { kind: 'file' }>;
}

/** The jobs that wait for files, by number, from the one after `afterId` on. */
export async function listFileWaits(db: Database, afterId: number, limit: number): Promise<FileWait[]> {
  const { rows } = await db.raw<{ rows: { job_id: string; wait: unknown }[] }>(
    `SELECT job_id, wait FROM jobs.active WHERE wait IS NOT NULL AND wait ->> 'kind' = 'file' AND status = 'SUSPENDED'
       AND due_at IS NOT NULL AND job_id > :afterId ORDER BY job_id LIMIT :limit`,
    { afterId, limit },
  );
  return rows.flatMap(({ job_id: id, wait: stored }) => {
    const { data: wait } = stepWaitSchema.safeParse(stored);
    return wait?.kind === 'file' ? [{ jobId: Number(id), wait }] : [];
  });
}

/** Lets jobs go on that wait at a step; those that do so no longer are left alone. */
export async function wakeJobs(db: Database, ids: readonly number[]): Promise<void> {
  await db.raw(
    `UPDATE jobs.active SET ready = true, due_at = NULL, since = clock_timestamp()
     WHERE job_id = ANY (CAST(:ids AS bigint[])) AND status = 'SUSPENDED' AND wait IS NOT NULL AND due_at IS NOT NULL`,
    { ids: [...ids] },
  );
}

/** What a job waits for that waits for an approval; it is locked until the end of the transaction. */
export async function lockApproval(
  trx: Transaction,
  id: number,
): Promise<Extract<StepWait, { kind: 'approval' }> | undefined> {
  const { rows } = await trx.raw<{ rows: { wait: unknown }[] }>(
    `SELECT wait FROM jobs.active WHERE job_id = :id AND status = 'SUSPENDED' AND wait IS NOT NULL FOR NO KEY UPDATE`,
    { id },
  );
  const { data } = stepWaitSchema.safeParse(rows[0]?.wait);
  return data?.kind === 'approval' ? data : undefined;
}

/** Stores a decision with the step that waits for it, and lets the job go on. */
export async function storeDecision(
  trx: Transaction,
  id: number,
  { step, decided, message }: { step: string; decided: Decision; message: string },
): Promise<void> {
  await trx.raw(
    `UPDATE jobs.steps SET outputs = outputs || jsonb_build_object('decided', CAST(:decided AS jsonb))
     WHERE job_id = :id AND name = :step AND status = 'WAITING'`,
    { id, step, decided: JSON.stringify(decided) },
  );
  await trx.raw(
    `UPDATE jobs.active SET ready = true, due_at = NULL, wait = NULL, since = clock_timestamp(), status_message = :message,
       updated_at = clock_timestamp() WHERE job_id = :id`,
    { id, message },
  );
}
