import type { Migration } from '@waybill/postgres/migrate';

/** The expectations of contracts, and the actions that they start. */
export const expectations: Migration = {
  name: '0016_expectations',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.contract_expectations (
        contract_id bigint NOT NULL REFERENCES directory.contracts ON DELETE CASCADE,
        name text NOT NULL,
        vfs_id bigint NOT NULL REFERENCES directory.virtual_file_systems DEFERRABLE INITIALLY DEFERRED,
        virtual_path text NOT NULL,
        definition jsonb NOT NULL,
        -- No file is due before.
        applied_at timestamptz(3) NOT NULL DEFAULT statement_timestamp(),
        PRIMARY KEY (contract_id, name)
      );
      ALTER TABLE directory.contract_actions ADD COLUMN expectation text, ADD COLUMN expectation_outcomes jsonb;
      ALTER TABLE directory.contract_actions ADD CONSTRAINT contract_actions_expectation
        CHECK ((trigger_type = 'Expectation') = (expectation IS NOT NULL AND expectation_outcomes IS NOT NULL));
    `);
  },
};
