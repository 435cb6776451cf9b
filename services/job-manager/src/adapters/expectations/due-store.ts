import { isDeepStrictEqual } from 'node:util';
import type { Expectation } from '@waybill/contracts/configuration/expectation';
import type { ContractExpectation } from '@waybill/directory/access/contract-expectation';
import type { Queryable, Transaction } from '@waybill/postgres/database';
import type { DueTime } from '../../domain/expectations/due-times.ts';
import type { Clock } from '../triggers/schedule-store.ts';
import { openDue } from './state-store.ts';

/** What an expectation is called, and what is due. */
type Followed = Omit<ContractExpectation, 'appliedAt'>;

/** A row of `jobs.expectations`: an expectation, and the first due time that was not judged yet. */
export interface StoredExpectation extends Followed {
  readonly id: string;
  readonly nextDueAt: Date;
}

interface ExpectationRow {
  id: string;
  contract: string;
  actorId: string;
  expectation: Expectation;
  vfsId: string;
  nextDueAt: Date;
}

const columns = `id, contract, actor_id AS "actorId", definition AS expectation, vfs_id AS "vfsId", next_due_at AS "nextDueAt"`;
const currentTime = `coalesce(CAST(:now AS timestamptz), statement_timestamp())`;

/** The time now. */
export async function readClock(on: Queryable, clock: Clock): Promise<Date> {
  const { rows } = await on.raw<{ rows: { now: Date }[] }>(`SELECT ${currentTime} AS now`, { now: clock?.() ?? null });
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has not told its time');
  return row.now;
}

/** All expectations that are followed. */
export async function listStored(on: Queryable): Promise<StoredExpectation[]> {
  const { rows } = await on.raw<{ rows: ExpectationRow[] }>(`SELECT ${columns} FROM jobs.expectations`);
  return rows;
}

/**
 * Locks an expectation whose deadline is over and that no other scheduler works on. If this process stops in the middle of its
 * transaction, PostgreSQL ends that after some seconds, and another scheduler takes the expectation.
 */
export async function takeOverdue(
  trx: Transaction,
  { clock, except }: { clock: Clock; except: readonly string[] },
): Promise<{ taken: StoredExpectation; now: Date } | undefined> {
  const { rows } = await trx.raw<{ rows: (ExpectationRow & { now: Date })[] }>(
    `SELECT ${columns}, ${currentTime} AS now, set_config('idle_in_transaction_session_timeout', '5s', true)
     FROM jobs.expectations WHERE next_deadline_at < ${currentTime} AND id <> ALL (CAST(:except AS bigint[]))
     ORDER BY next_deadline_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    { now: clock?.() ?? null, except: [...except] },
  );
  const [row] = rows;
  return row && { taken: row, now: row.now };
}

/** Follows an expectation from a due time on, which becomes pending, unless it is followed already. */
export async function addExpectation(
  trx: Transaction,
  { contract, actorId, expectation, vfsId }: Followed,
  { dueAt, deadlineAt }: DueTime,
): Promise<void> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `INSERT INTO jobs.expectations
       (contract, actor_id, expectation, definition, vfs_id, first_due_at, next_due_at, next_deadline_at)
     VALUES (:contract, :actorId, :name, :definition, :vfsId, :dueAt, :dueAt, :deadlineAt) ON CONFLICT DO NOTHING`,
    { contract, actorId, name: expectation.name, definition: JSON.stringify(expectation), vfsId, dueAt, deadlineAt },
  );
  if (rowCount === 1) await openDue(trx, { contract, actorId, expectation: expectation.name }, { dueAt, deadlineAt });
}

/** Locks expectations, in one order for all who lock several. Returns from which due time on each is followed. */
export async function lockExpectations(
  trx: Transaction,
  wanted: readonly Followed[],
): Promise<(Followed & { firstDueAt: Date })[]> {
  const { rows } = await trx.raw<{ rows: { contract: string; name: string; firstDueAt: Date }[] }>(
    `SELECT contract, expectation AS name, first_due_at AS "firstDueAt" FROM jobs.expectations
     WHERE (contract, expectation) IN (SELECT * FROM unnest(CAST(:contracts AS text[]), CAST(:names AS text[])))
     ORDER BY id FOR UPDATE`,
    { contracts: wanted.map(({ contract }) => contract), names: wanted.map(({ expectation }) => expectation.name) },
  );
  return rows.flatMap(({ contract, name, firstDueAt }) =>
    wanted
      .filter((one) => one.contract === contract && one.expectation.name === name)
      .map((one) => ({ ...one, firstDueAt })),
  );
}

/** Changes an expectation that is still as it was read. `restart`: due times that were pending are no longer due. */
export async function changeExpectation(
  trx: Transaction,
  before: StoredExpectation,
  after: Followed,
  { restart, next }: { restart: boolean; next: DueTime },
): Promise<void> {
  const { contract, actorId, expectation } = after;
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `UPDATE jobs.expectations SET definition = CAST(:definition AS jsonb), actor_id = :actorId, vfs_id = :vfsId, next_due_at = :dueAt,
       next_deadline_at = :deadlineAt, first_due_at = CASE WHEN :restart THEN :dueAt ELSE first_due_at END
     WHERE id = :id AND definition = CAST(:before AS jsonb) AND next_due_at = :nextDueAt`,
    {
      id: before.id,
      before: JSON.stringify(before.expectation),
      nextDueAt: before.nextDueAt,
      definition: JSON.stringify(expectation),
      actorId,
      vfsId: after.vfsId,
      restart,
      ...next,
    },
  );
  if (rowCount === 0) return;
  if (restart) await forgetPending(trx, contract, expectation.name);
  await openDue(trx, { contract, actorId, expectation: expectation.name }, next);
}

/**
 * Moves an expectation on to its next due time, which becomes pending. Due times before `judged` were left out: they have no state, and
 * files for them are not counted.
 */
export async function advanceExpectation(
  trx: Transaction,
  { id, contract, actorId, expectation, nextDueAt }: StoredExpectation,
  { next, judged }: { next: DueTime; judged: DueTime },
): Promise<void> {
  const skips = judged.dueAt > nextDueAt;
  await trx.raw(
    `UPDATE jobs.expectations SET next_due_at = :dueAt, next_deadline_at = :deadlineAt,
       first_due_at = CASE WHEN :skips THEN CAST(:judgedAt AS timestamptz) ELSE first_due_at END WHERE id = :id`,
    { id, skips, judgedAt: judged.dueAt, ...next },
  );
  await openDue(trx, { contract, actorId, expectation: expectation.name }, next);
  if (!skips) return;
  await trx.raw(
    `DELETE FROM jobs.expectation_states
     WHERE contract = :contract AND expectation = :name AND state = 'pending' AND due_at < :judgedAt`,
    { contract, name: expectation.name, judgedAt: judged.dueAt },
  );
}

/** Follows an expectation no longer, if it is still as it was read. What has come of it stays. */
export async function removeExpectation(
  trx: Transaction,
  { id, contract, expectation }: StoredExpectation,
): Promise<void> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    'DELETE FROM jobs.expectations WHERE id = :id AND definition = CAST(:before AS jsonb)',
    { id, before: JSON.stringify(expectation) },
  );
  if (rowCount === 1) await forgetPending(trx, contract, expectation.name);
}

/** Whether two readings of an expectation are the same. */
export function isSame(one: Followed, other: Followed): boolean {
  const sameOwner = one.actorId === other.actorId && one.vfsId === other.vfsId;
  return sameOwner && isDeepStrictEqual(one.expectation, other.expectation);
}

async function forgetPending(trx: Transaction, contract: string, name: string): Promise<void> {
  await trx.raw(
    `DELETE FROM jobs.expectation_states WHERE contract = :contract AND expectation = :name AND state = 'pending'`,
    { contract, name },
  );
}
