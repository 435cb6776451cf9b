import type { ContractExpectation } from '@waybill/directory/access/contract-expectation';
import { openDirectory } from '@waybill/directory/open-directory';
import type { Database } from '@waybill/postgres/database';
import {
  addExpectation,
  changeExpectation,
  isSame,
  listStored,
  readClock,
  removeExpectation,
  type StoredExpectation,
} from '../adapters/expectations/due-store.ts';
import type { Clock } from '../adapters/triggers/schedule-store.ts';
import { type DueTime, firstDueAfter } from '../domain/expectations/due-times.ts';

const keptDays = 90;

/** The due time that an expectation waits for after a change: a changed expression or zone, and another actor, start from now. */
export function nextDueAfterChange(
  before: StoredExpectation,
  { actorId, expectation: after }: ContractExpectation,
  now: Date,
): { restart: boolean; next: DueTime } {
  const { cron, timeZone } = before.expectation;
  const restart = cron !== after.cron || timeZone !== after.timeZone || before.actorId !== actorId;
  const from = restart ? now : new Date(before.nextDueAt.getTime() - 1);
  return { restart, next: firstDueAfter(from, after) };
}

/**
 * Makes the followed expectations those of the configuration in force, and removes states that are older than 90 days. Both are
 * read at one instant, and what another scheduler has changed since is left alone.
 */
export async function syncExpectations(db: Database, clock: Clock): Promise<void> {
  const { now, wanted, stored } = await db.transaction(
    async (trx) => ({
      now: await readClock(trx, clock),
      wanted: await openDirectory({ db: trx }).listExpectations(),
      stored: await listStored(trx),
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  const left = new Map(stored.map((one) => [keyOf(one), one]));
  for (const one of wanted) {
    const known = left.get(keyOf(one));
    left.delete(keyOf(one));
    if (known && isSame(known, one)) continue;
    await db.transaction((trx) =>
      known
        ? changeExpectation(trx, known, one, nextDueAfterChange(known, one, now))
        : addExpectation(trx, one, firstDueAfter(one.appliedAt < now ? one.appliedAt : now, one.expectation)),
    );
  }
  for (const one of left.values()) await db.transaction((trx) => removeExpectation(trx, one));
  await db.raw(`DELETE FROM jobs.expectation_states WHERE due_at < :before`, {
    before: new Date(now.getTime() - keptDays * 86_400_000),
  });
}

function keyOf({ contract, expectation }: Pick<ContractExpectation, 'contract' | 'expectation'>): string {
  return JSON.stringify([contract, expectation.name]);
}
