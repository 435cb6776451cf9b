import type { ContractExpectation } from '@waybill/directory/access/contract-expectation';
import { openDirectory } from '@waybill/directory/open-directory';
import type { Database, Transaction } from '@waybill/postgres/database';
import { auditExpectation } from '../adapters/expectations/audit-expectation.ts';
import {
  advanceExpectation,
  changeExpectation,
  isSame,
  removeExpectation,
  type StoredExpectation,
  takeOverdue,
} from '../adapters/expectations/due-store.ts';
import { changeState, lockDue, openDue } from '../adapters/expectations/state-store.ts';
import type { RegisterParts } from '../adapters/jobs/knex-job-register.ts';
import type { Clock } from '../adapters/triggers/schedule-store.ts';
import { dueTimesToJudge, firstDueAfter } from '../domain/expectations/due-times.ts';
import type { ExpectationState } from '../domain/expectations/expectation-state.ts';
import type { Job } from '../domain/jobs/job.ts';
import { raiseMissed } from './raise-outcome.ts';
import { schedulerName } from './start-due-action.ts';
import { nextDueAfterChange } from './sync-expectations.ts';

/** What came of an expectation whose deadline was over. */
export interface Judgement {
  readonly id: string;
  readonly contract: string;
  readonly expectation: string;
  /** The due times that were missed. */
  readonly missed: readonly Date[];
  /** Files that may have come in time are still to be counted: nothing was judged. */
  readonly waits: boolean;
  readonly jobs: readonly Job[];
}

/** An expectation could not be judged. It is as it was before. */
export class JudgeFailure extends Error {
  readonly taken: StoredExpectation;

  constructor(taken: StoredExpectation, cause: unknown) {
    super(`The expectation ${taken.contract}/${taken.expectation.name} could not be judged`, { cause });
    this.taken = taken;
  }
}

/** What a judgement works with: `except` are the ids of expectations that are passed over. */
export interface JudgeOptions {
  readonly register: RegisterParts;
  readonly clock: Clock;
  readonly except: readonly string[];
}

/**
 * Judges the expectation whose deadline is over the longest, if there is one that no other scheduler works on. In one transaction,
 * its due times get their states, the actions that wait for a missed one are started, and the expectation moves on. After an outage,
 * several due times are over: the actions are started once, for the newest that was missed. `undefined`: there is no such
 * expectation. @throws JudgeFailure
 */
export async function judgeDueTimes(db: Database, options: JudgeOptions): Promise<Judgement | undefined> {
  let taken: StoredExpectation | undefined;
  try {
    return await db.transaction(async (trx) => {
      const found = await takeOverdue(trx, options);
      taken = found?.taken;
      return found && (await judgeTaken(trx, found.taken, found.now, options.register));
    });
  } catch (error) {
    throw taken ? new JudgeFailure(taken, error) : error;
  }
}

async function judgeTaken(
  trx: Transaction,
  taken: StoredExpectation,
  now: Date,
  parts: RegisterParts,
): Promise<Judgement> {
  const { id, contract, actorId, expectation } = taken;
  const of = { contract, actorId, expectation: expectation.name };
  const judgement = { id, contract, expectation: expectation.name, missed: [], waits: false, jobs: [] };
  const wanted = (await openDirectory({ db: trx }).listExpectations()).find((one) => isNamed(one, taken));
  if (!wanted) {
    await removeExpectation(trx, taken);
    return judgement;
  }
  if (!isSame(taken, wanted)) {
    await changeExpectation(trx, taken, wanted, nextDueAfterChange(taken, wanted, now));
    return judgement;
  }
  const dueTimes = dueTimesToJudge(taken.nextDueAt, now, expectation);
  const [oldest] = dueTimes;
  const newest = dueTimes.at(-1);
  if (!oldest || !newest) throw new Error('The deadline of no due time is over');
  if (await hasUncountedFiles(trx, taken, newest.deadlineAt)) return { ...judgement, waits: true };

  const missed: ExpectationState[] = [];
  for (const due of dueTimes) {
    await openDue(trx, of, due);
    const state = await lockDue(trx, of, due);
    if (state?.state !== 'pending') continue;
    const { files, lastPath } = state;
    await changeState(trx, state.id, { state: 'missed', files, lastPath, at: now });
    const counts = { files: String(files), expected: String(expectation.count.min) };
    await auditExpectation(trx, parts.site, 'expectationMissed', state, { user: schedulerName, ...counts });
    missed.push(state);
  }
  await advanceExpectation(trx, taken, { next: firstDueAfter(newest.dueAt, expectation), judged: oldest });
  const last = missed.at(-1);
  const raised = last && { ...of, outcome: 'missed' as const, dueAt: last.dueAt, files: last.files };
  const jobs = raised ? await raiseMissed(trx, parts, raised) : [];
  return { ...judgement, missed: missed.map(({ dueAt }) => dueAt), jobs };
}

function isNamed(one: ContractExpectation, other: StoredExpectation): boolean {
  return one.contract === other.contract && one.expectation.name === other.expectation.name;
}

/**
 * Whether a file was stored in time whose event no consumer has handled. Without this, an outage would look like missing files. Events
 * that were set aside for an administrator are not waited for.
 */
async function hasUncountedFiles(trx: Transaction, { vfsId }: StoredExpectation, deadlineAt: Date): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `SELECT true FROM outbox.events
     WHERE topic = 'file-event' AND next_attempt_at < 'infinity' AND payload ->> 'kind' = 'stored'
       AND payload ->> 'vfsId' = :vfsId AND CAST(payload ->> 'occurredAt' AS timestamptz) <= :deadlineAt LIMIT 1`,
    { vfsId, deadlineAt },
  );
  return rows.length > 0;
}
