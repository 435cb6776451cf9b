import type { ActorScope } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { ExpectationState, Expectations, StateQuery } from '../../domain/expectations/expectation-state.ts';
import { auditExpectation } from './audit-expectation.ts';
import { selectStates } from './state-store.ts';

const acknowledgeable = new Set<ExpectationState['state']>(['missed', 'late', 'unexpected']);

/** What people see of expectations, and do to them, in PostgreSQL. */
export function createKnexExpectations(db: Database, site: JobSite): Expectations {
  const find = async (id: number, actors: ActorScope): Promise<ExpectationState> =>
    found(await selectStates(db, `id = :id AND ${ofActors}`, { id, actors: actorsOf(actors) }), id);
  return {
    list: (query) => listStates(db, query),
    find,
    acknowledge: async (id, { userName, reason, actors }) => {
      await db.transaction(async (trx) => {
        const condition = `id = :id AND ${ofActors} FOR UPDATE`;
        const state = found(await selectStates(trx, condition, { id, actors: actorsOf(actors) }), id);
        if (!acknowledgeable.has(state.state)) {
          throw new CodedError('expectation_not_open', { detail: whyNotOpen(state) });
        }
        await trx.raw(
          `UPDATE jobs.expectation_states SET state = 'acknowledged', outcome = state, acknowledged_by = :userName,
             acknowledged_at = clock_timestamp(), reason = :reason WHERE id = :id`,
          { id, userName, reason },
        );
        const { state: outcome } = state;
        await auditExpectation(trx, site, 'expectationAcknowledged', state, { user: userName, outcome, reason });
      });
      return find(id, actors);
    },
  };
}

function whyNotOpen({ contract, expectation, state, acknowledgement }: ExpectationState): string {
  const name = `${contract}/${expectation}`;
  return acknowledgement === undefined
    ? `${name} is ${state}: there is nothing to acknowledge`
    : `${acknowledgement.by} has already acknowledged ${name}`;
}

async function listStates(db: Database, { limit, ...query }: StateQuery): ReturnType<Expectations['list']> {
  const {
    actors,
    actor = null,
    contract = null,
    expectation = null,
    state = null,
    dueFrom = null,
    dueTo = null,
    before = null,
  } = query;
  const states = await selectStates(
    db,
    `(CAST(:actor AS text) IS NULL OR actor_id IN (SELECT id FROM directory.actors WHERE name = :actor))
     AND (CAST(:contract AS text) IS NULL OR contract = :contract)
     AND (CAST(:expectation AS text) IS NULL OR expectation = :expectation)
     AND (CAST(:state AS text) IS NULL OR state = :state)
     AND (CAST(:dueFrom AS timestamptz) IS NULL OR due_at >= :dueFrom)
     AND (CAST(:dueTo AS timestamptz) IS NULL OR due_at <= :dueTo)
     AND (CAST(:before AS bigint) IS NULL OR id < :before)
     AND ${ofActors}
     ORDER BY id DESC LIMIT :limit`,
    { actor, contract, expectation, state, dueFrom, dueTo, before, actors: actorsOf(actors), limit: limit + 1 },
  );
  const page = states.slice(0, limit);
  return { states: page, next: states.length > limit ? page.at(-1)?.id : undefined };
}

/** A state belongs to the actor that the contract had. */
const ofActors = `(CAST(:actors AS jsonb) IS NULL OR actor_id IN (
  SELECT id FROM directory.actors WHERE name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))))`;

function actorsOf(actors: ActorScope): string | null {
  return actors === undefined ? null : JSON.stringify(actors);
}

function found([state]: readonly ExpectationState[], id: number): ExpectationState {
  if (state) return state;
  throw new CodedError('expectation_unknown', { detail: `There is no state ${id} of an expectation` });
}
