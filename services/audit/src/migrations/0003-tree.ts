import type { Migration } from '@waybill/postgres/migrate';

/**
 * The Merkle tree over the records, which replaces the hash chain. `hash` is the hash of the leaf in records without
 * `previous_hash`. `nodes` has the roots of the perfect subtrees of 2^8, 2^16, ... leaves, and at level 0 the leaf
 * hashes of the records of the chain. `digests` and `head` keep what earlier releases signed.
 */
export const tree: Migration = {
  name: '0003_tree',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE audit.records ALTER COLUMN previous_hash DROP NOT NULL, ADD COLUMN recorded_at timestamptz(3);

      CREATE TABLE audit.nodes (
        level smallint NOT NULL,
        number bigint NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (level, number)
      );
      CREATE TABLE audit.tree_head (
        "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
        size bigint NOT NULL,
        frontier bytea NOT NULL,
        last_leaf text NOT NULL,
        checkpoint text NOT NULL
      );
      CREATE TABLE audit.log_keys (
        public_key text COLLATE "C" PRIMARY KEY,
        first_size bigint NOT NULL,
        added_at timestamptz(3) NOT NULL DEFAULT now()
      );

      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.nodes
        FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.log_keys
        FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
      CREATE TRIGGER stays BEFORE DELETE OR TRUNCATE ON audit.tree_head
        FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
      CREATE TRIGGER moves_on BEFORE UPDATE ON audit.tree_head
        FOR EACH ROW WHEN (NEW.size < OLD.size) EXECUTE FUNCTION audit.refuse_change();
    `);
  },
};
