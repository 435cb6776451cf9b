import type { Migration } from '@waybill/postgres/migrate';

/** The second key of an index is the sequence number, so that a page of matches is read in order without a sort. */
const tables = `
  CREATE TABLE audit.records (
    sequence bigint PRIMARY KEY CHECK (sequence > 0),
    id uuid NOT NULL UNIQUE,
    correlation_id uuid NOT NULL UNIQUE,
    cluster_id text COLLATE "C" NOT NULL,
    node_id text COLLATE "C" NOT NULL,
    module text COLLATE "C" NOT NULL,
    audit_code text COLLATE "C" NOT NULL,
    audit_operation text COLLATE "C" NOT NULL,
    dataone_user text COLLATE "C" NOT NULL,
    entity_type text COLLATE "C" NOT NULL,
    entity_name text COLLATE "C" NOT NULL,
    entity_id text COLLATE "C" NOT NULL,
    audit_message text COLLATE "C" NOT NULL,
    audit_time timestamptz(3) NOT NULL,
    dfiid text COLLATE "C",
    salt bytea NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL
  );
  CREATE INDEX records_time ON audit.records (audit_time, sequence);
  -- Anything can be tried as a user name: an index entry has room for 200 characters of it.
  CREATE INDEX records_user ON audit.records (left(dataone_user, 200), sequence);
  CREATE INDEX records_operation ON audit.records (audit_operation, sequence);
  CREATE INDEX records_code ON audit.records (audit_code, sequence);
  CREATE INDEX records_cluster ON audit.records (cluster_id, sequence);
  CREATE INDEX records_module ON audit.records (module, sequence);
  CREATE INDEX records_node ON audit.records (node_id, sequence);
  CREATE INDEX records_entity_type ON audit.records (entity_type, sequence);
  -- Names and texts may be longer than an index entry: their hash is indexed.
  CREATE INDEX records_entity_name ON audit.records USING hash (entity_name);
  CREATE INDEX records_entity_id ON audit.records USING hash (entity_id);
  CREATE INDEX records_message ON audit.records USING hash (audit_message);

  CREATE TABLE audit.digests (
    number bigint PRIMARY KEY CHECK (number > 0),
    first_sequence bigint NOT NULL,
    last_sequence bigint NOT NULL,
    last_hash bytea NOT NULL,
    merkle_root bytea NOT NULL,
    previous_hash bytea NOT NULL,
    signed_at timestamptz(3) NOT NULL,
    public_key text NOT NULL,
    signature text NOT NULL
  );

  CREATE TABLE audit.head (
    "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
    sequence bigint NOT NULL,
    record_id uuid NOT NULL,
    record_hash bytea NOT NULL,
    digest_number bigint NOT NULL,
    digest_hash bytea NOT NULL,
    digested_sequence bigint NOT NULL,
    public_key text NOT NULL,
    signature text NOT NULL
  );
`;

/** Rows cannot be changed or deleted; the head can only move forward. */
const protection = `
  CREATE FUNCTION audit.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit record is append-only: % of % refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.records
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.digests
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER stays BEFORE DELETE OR TRUNCATE ON audit.head
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER moves_on BEFORE UPDATE ON audit.head
    FOR EACH ROW WHEN (NEW.sequence < OLD.sequence OR NEW.digest_number < OLD.digest_number)
    EXECUTE FUNCTION audit.refuse_change();
`;

/** The records, their digests and the head. */
export const record: Migration = {
  name: '0001_record',
  up: async (trx) => {
    await trx.raw(tables);
    await trx.raw(protection);
  },
};
