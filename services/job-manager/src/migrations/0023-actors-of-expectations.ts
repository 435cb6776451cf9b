import type { Migration } from '@waybill/postgres/migrate';

/**
 * The actor whose contract an expectation belongs to: another actor can get a contract of that name later. Until now the name decided, so
 * what is known belongs to the actor of the present contract.
 */
export const actorsOfExpectations: Migration = {
  name: '0023_actors_of_expectations',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE jobs.expectations ADD COLUMN actor_id bigint;
      UPDATE jobs.expectations e SET actor_id = k.actor_id FROM directory.contracts k WHERE k.name = e.contract;
      DELETE FROM jobs.expectations WHERE actor_id IS NULL;
      ALTER TABLE jobs.expectations ALTER COLUMN actor_id SET NOT NULL;

      -- Null: the contract was removed before.
      ALTER TABLE jobs.expectation_states ADD COLUMN actor_id bigint;
      UPDATE jobs.expectation_states s SET actor_id = k.actor_id FROM directory.contracts k WHERE k.name = s.contract;
      DELETE FROM jobs.expectation_states WHERE actor_id IS NULL AND state = 'pending';
      ALTER TABLE jobs.expectation_states
        DROP CONSTRAINT expectation_states_contract_expectation_due_at_kind_key,
        ADD UNIQUE (contract, expectation, due_at, kind, actor_id);
    `);
  },
};
