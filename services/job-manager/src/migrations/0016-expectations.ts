import type { Migration } from '@waybill/postgres/migrate';

/** Which due time of each expectation is judged next, and the state of each due time. */
export const expectations: Migration = {
  name: '0016_expectations',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE jobs.expectations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        contract text NOT NULL,
        expectation text NOT NULL,
        -- What the times were computed from.
        definition jsonb NOT NULL,
        vfs_id text NOT NULL,
        -- Files of earlier due times are not counted: there was no expectation then.
        first_due_at timestamptz(3) NOT NULL,
        next_due_at timestamptz(3) NOT NULL,
        next_deadline_at timestamptz(3) NOT NULL,
        UNIQUE (contract, expectation)
      );
      CREATE INDEX expectations_deadline ON jobs.expectations (next_deadline_at, id);

      CREATE TABLE jobs.expectation_states (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        contract text NOT NULL,
        expectation text NOT NULL,
        -- The files of a due time, or the unexpected ones before it.
        kind text NOT NULL CHECK (kind IN ('due', 'unexpected')),
        state text NOT NULL CHECK (state IN ('pending', 'met', 'missed', 'late', 'unexpected', 'acknowledged')),
        due_at timestamptz(3) NOT NULL,
        deadline_at timestamptz(3) NOT NULL,
        files integer NOT NULL DEFAULT 0,
        last_path text,
        changed_at timestamptz(3) NOT NULL,
        -- The state that a user has acknowledged.
        outcome text,
        acknowledged_by text,
        acknowledged_at timestamptz(3),
        reason text,
        UNIQUE (contract, expectation, due_at, kind)
      );
      CREATE INDEX expectation_states_open ON jobs.expectation_states (state)
        WHERE state IN ('pending', 'missed', 'late', 'unexpected');
      CREATE INDEX expectation_states_due ON jobs.expectation_states (due_at);
    `);
  },
};
