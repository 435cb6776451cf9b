import { isDeepStrictEqual } from 'node:util';
import type { TimeTrigger } from '@waybill/contracts/configuration/time-trigger';
import { openDirectory } from '@waybill/directory/open-directory';
import type { Database } from '@waybill/postgres/database';
import {
  addSchedule,
  changeSchedule,
  type Clock,
  listSchedules,
  lookAtSchedules,
  removeSchedule,
  type StoredSchedule,
} from '../adapters/triggers/schedule-store.ts';
import { firstTimeAfter, type PlannedTime, type ScheduledAction } from '../domain/triggers/plan-start.ts';

/** The time that a schedule has after its trigger was changed: a changed expression or zone starts from now. */
export function timeAfterChange(
  { definition: before, ...of }: StoredSchedule,
  after: TimeTrigger,
  now: Date,
): PlannedTime | undefined {
  if (before.cron === after.cron && before.timeZone === after.timeZone) return undefined;
  return firstTimeAfter(now, after, of);
}

/**
 * Makes the schedules those of the configuration in force. Both are read at one instant, and what another scheduler has
 * changed since is left alone: however late this process goes on, it brings no older configuration back.
 */
export async function syncSchedules(db: Database, clock: Clock): Promise<void> {
  const { now, wanted, stored } = await db.transaction(
    async (trx) => ({
      now: (await lookAtSchedules(trx, clock)).now,
      wanted: await openDirectory({ db: trx }).listTimeActions(),
      stored: await listSchedules(trx),
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  const left = new Map(stored.map((schedule) => [keyOf(schedule), schedule]));
  for (const { contractName: contract, actionName: action, schedule: definition } of wanted) {
    const of = { contract, action };
    const known = left.get(keyOf(of));
    left.delete(keyOf(of));
    if (!known) await addSchedule(db, of, definition, firstTimeAfter(now, definition, of));
    else if (!isDeepStrictEqual(known.definition, definition)) {
      await changeSchedule(db, known, { definition, time: timeAfterChange(known, definition, now) });
    }
  }
  for (const schedule of left.values()) await removeSchedule(db, schedule);
}

function keyOf({ contract, action }: ScheduledAction): string {
  return JSON.stringify([contract, action]);
}
