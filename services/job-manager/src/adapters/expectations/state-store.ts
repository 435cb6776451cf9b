import type { Queryable, Transaction } from '@waybill/postgres/database';
import type { DueTime } from '../../domain/expectations/due-times.ts';
import type { ExpectationState, StateName } from '../../domain/expectations/expectation-state.ts';

/** The expectation of a contract. */
export interface ExpectationName {
  readonly contract: string;
  /** The actor of the contract: what came of a contract of the same name that another actor had is something else. */
  readonly actorId: string;
  readonly expectation: string;
}

interface StateRow extends Omit<ExpectationState, 'id' | 'acknowledgement'> {
  id: string;
  outcome: string | null;
  by: string | null;
  at: Date | null;
  reason: string | null;
}

/** The names are those of the present; an outer join could not be locked. */
const columns = `id, contract, expectation, kind, state, due_at AS "dueAt", deadline_at AS "deadlineAt", files,
  last_path AS "lastPath", changed_at AS "changedAt", outcome, acknowledged_by AS by, acknowledged_at AS at, reason,
  (SELECT a.name FROM directory.actors a WHERE a.id = expectation_states.actor_id) AS actor,
  (SELECT jsonb_build_object('vfs', e.definition -> 'vfs', 'virtualPath', e.definition -> 'virtualPath',
                             'filePattern', e.definition -> 'filePattern')
     FROM directory.contract_expectations e JOIN directory.contracts k ON k.id = e.contract_id
    WHERE k.name = expectation_states.contract AND k.actor_id = expectation_states.actor_id
      AND e.name = expectation_states.expectation) AS expected`;

/** The states that `where` says. */
export async function selectStates(
  on: Queryable,
  where: string,
  values: Readonly<Record<string, string | number | Date | null>>,
): Promise<ExpectationState[]> {
  const { rows } = await on.raw<{ rows: StateRow[] }>(
    `SELECT ${columns} FROM jobs.expectation_states WHERE ${where}`,
    values,
  );
  return rows.map(stateOf);
}

/** A due time as it is, locked until the end of the transaction. */
export async function lockDue(
  trx: Transaction,
  { contract, actorId, expectation }: ExpectationName,
  { dueAt }: DueTime,
): Promise<ExpectationState | undefined> {
  const [state] = await selectStates(
    trx,
    `contract = :contract AND actor_id = :actorId AND expectation = :expectation AND due_at = :dueAt AND kind = 'due' FOR UPDATE`,
    { contract, actorId, expectation, dueAt },
  );
  return state;
}

/** Makes a due time pending, unless it has a state. A changed grace moves the deadline of one that is pending. */
export async function openDue(
  on: Queryable,
  { contract, actorId, expectation }: ExpectationName,
  { dueAt, deadlineAt }: DueTime,
): Promise<void> {
  await on.raw(
    `INSERT INTO jobs.expectation_states AS known
       (contract, actor_id, expectation, kind, state, due_at, deadline_at, changed_at)
     VALUES (:contract, :actorId, :expectation, 'due', 'pending', :dueAt, :deadlineAt, clock_timestamp())
     ON CONFLICT (contract, expectation, due_at, kind, actor_id) DO UPDATE SET deadline_at = excluded.deadline_at
       WHERE known.state = 'pending' AND known.deadline_at <> excluded.deadline_at`,
    { contract, actorId, expectation, dueAt, deadlineAt },
  );
}

/** Changes a state that is locked: what it is, and how many files came. */
export async function changeState(
  trx: Transaction,
  id: number,
  change: { state: StateName; files: number; lastPath: string | null; at: Date },
): Promise<void> {
  await trx.raw(
    `UPDATE jobs.expectation_states SET state = :state, files = :files, last_path = :lastPath, changed_at = :at
     WHERE id = :id`,
    { id, ...change },
  );
}

/** Counts an unexpected file before a due time. One that comes after an acknowledgement has to be acknowledged again. */
export async function addUnexpected(
  trx: Transaction,
  { contract, actorId, expectation }: ExpectationName,
  { dueAt, deadlineAt }: DueTime,
  file: { path: string; at: Date },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: { files: number }[] }>(
    `INSERT INTO jobs.expectation_states AS known
       (contract, actor_id, expectation, kind, state, due_at, deadline_at, files, last_path, changed_at)
     VALUES (:contract, :actorId, :expectation, 'unexpected', 'unexpected', :dueAt, :deadlineAt, 1, :path, :at)
     ON CONFLICT (contract, expectation, due_at, kind, actor_id) DO UPDATE SET state = 'unexpected', files = known.files + 1,
       last_path = excluded.last_path, changed_at = excluded.changed_at
     RETURNING files`,
    { contract, actorId, expectation, dueAt, deadlineAt, ...file },
  );
  return rows[0]?.files ?? 0;
}

function stateOf({ id, outcome, by, at, reason, ...row }: StateRow): ExpectationState {
  const isComplete = outcome !== null && by !== null && at !== null && reason !== null;
  return { ...row, id: Number(id), acknowledgement: isComplete ? { outcome, by, at, reason } : undefined };
}
