import type { TimeTrigger } from '@waybill/contracts/configuration/time-trigger';
import type { Queryable, Transaction } from '@waybill/postgres/database';
import type { PlannedTime, ScheduledAction } from '../../domain/triggers/plan-start.ts';

/** A row of `jobs.schedules`: an action, its trigger, and the first time for which no job was created yet. */
export interface StoredSchedule extends ScheduledAction {
  readonly id: string;
  readonly definition: TimeTrigger;
  readonly scheduledAt: Date;
}

/** A schedule that is due, locked until the end of the transaction. */
export interface TakenSchedule extends StoredSchedule {
  readonly now: Date;
}

/** The clock of PostgreSQL, which all schedulers share; another one in tests. */
export type Clock = (() => Date) | undefined;

const now = `coalesce(CAST(:now AS timestamptz), statement_timestamp())`;
const columns = `id, contract, action, definition, scheduled_at AS "scheduledAt"`;

/** The time now, and when the first schedule is due. */
export async function lookAtSchedules(on: Queryable, clock: Clock): Promise<{ now: Date; firstDueAt: Date | null }> {
  const { rows } = await on.raw<{ rows: { now: Date; firstDueAt: Date | null }[] }>(
    `SELECT ${now} AS now, (SELECT min(due_at) FROM jobs.schedules) AS "firstDueAt"`,
    { now: clock?.() ?? null },
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has not told its time');
  return row;
}

/**
 * Locks a schedule that is due and that no other scheduler works on. If this process stops in the middle of its transaction,
 * PostgreSQL ends that after some seconds, and another scheduler takes the schedule.
 */
export async function takeDueSchedule(
  trx: Transaction,
  { clock, except }: { clock: Clock; except: readonly string[] },
): Promise<TakenSchedule | undefined> {
  const { rows } = await trx.raw<{ rows: TakenSchedule[] }>(
    `SELECT ${columns}, ${now} AS now, set_config('idle_in_transaction_session_timeout', '5s', true)
     FROM jobs.schedules WHERE due_at <= ${now} AND id <> ALL (CAST(:except AS bigint[]))
     ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    { now: clock?.() ?? null, except: [...except] },
  );
  return rows[0];
}

/** All schedules. */
export async function listSchedules(on: Queryable): Promise<StoredSchedule[]> {
  const { rows } = await on.raw<{ rows: StoredSchedule[] }>(`SELECT ${columns} FROM jobs.schedules`);
  return rows;
}

/** Adds a schedule unless another scheduler has done so. */
export async function addSchedule(
  on: Queryable,
  { contract, action }: ScheduledAction,
  definition: TimeTrigger,
  { scheduledAt, dueAt }: PlannedTime,
): Promise<void> {
  await on.raw(
    `INSERT INTO jobs.schedules (contract, action, definition, scheduled_at, due_at)
     VALUES (:contract, :action, :definition, :scheduledAt, :dueAt) ON CONFLICT DO NOTHING`,
    { contract, action, definition: JSON.stringify(definition), scheduledAt, dueAt },
  );
}

/** Changes a schedule that is still as it was read. Without `time`, the time stays. */
export async function changeSchedule(
  on: Queryable,
  schedule: StoredSchedule,
  { definition, time }: { definition: TimeTrigger; time: PlannedTime | undefined },
): Promise<void> {
  await on.raw(
    `UPDATE jobs.schedules SET definition = CAST(:definition AS jsonb),
       scheduled_at = coalesce(CAST(:scheduledAt AS timestamptz), scheduled_at),
       due_at = coalesce(CAST(:dueAt AS timestamptz), due_at)
     WHERE id = :id AND definition = CAST(:before AS jsonb)`,
    {
      id: schedule.id,
      before: JSON.stringify(schedule.definition),
      definition: JSON.stringify(definition),
      scheduledAt: time?.scheduledAt ?? null,
      dueAt: time?.dueAt ?? null,
    },
  );
}

/** Removes a schedule that is still as it was read. */
export async function removeSchedule(on: Queryable, { id, definition }: StoredSchedule): Promise<void> {
  await on.raw(`DELETE FROM jobs.schedules WHERE id = :id AND definition = CAST(:before AS jsonb)`, {
    id,
    before: JSON.stringify(definition),
  });
}
