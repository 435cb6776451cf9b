import type { Migration } from '@waybill/postgres/migrate';

/**
 * `archives` names the files of records that were deleted, `leaf_tiles` keeps their leaf hashes, 256 in each row, so that all
 * proofs remain possible. `holds` are ranges of records or of time of which nothing is deleted.
 */
const tables = `
  CREATE TABLE audit.archives (
    last_sequence bigint PRIMARY KEY,
    first_sequence bigint NOT NULL UNIQUE,
    last_id uuid NOT NULL,
    -- The hash of the last record, if it is of the former hash chain.
    last_chain_hash text,
    file text NOT NULL,
    hash text NOT NULL,
    archived_at timestamptz(3) NOT NULL DEFAULT now(),
    CHECK (first_sequence <= last_sequence AND last_sequence % 256 = 0)
  );
  CREATE TABLE audit.leaf_tiles (
    number bigint PRIMARY KEY,
    hashes bytea NOT NULL CHECK (length(hashes) = 8192)
  );
  CREATE TABLE audit.holds (
    id uuid PRIMARY KEY,
    first_sequence bigint,
    last_sequence bigint,
    from_time timestamptz(3),
    to_time timestamptz(3),
    reason text NOT NULL,
    placed_by text NOT NULL,
    placed_at timestamptz(3) NOT NULL DEFAULT now(),
    released_by text,
    released_at timestamptz(3),
    release_reason text
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.archives
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.leaf_tiles
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER stays BEFORE DELETE OR TRUNCATE ON audit.holds
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER ends_once BEFORE UPDATE ON audit.holds
    FOR EACH ROW WHEN (OLD.released_at IS NOT NULL OR NEW.released_at IS NULL OR
      (NEW.id, NEW.reason, NEW.placed_by, NEW.placed_at, NEW.first_sequence, NEW.last_sequence, NEW.from_time, NEW.to_time)
      IS DISTINCT FROM
      (OLD.id, OLD.reason, OLD.placed_by, OLD.placed_at, OLD.first_sequence, OLD.last_sequence, OLD.from_time, OLD.to_time))
    EXECUTE FUNCTION audit.refuse_change();
`;

const functions = `
  CREATE FUNCTION audit.first_held(first bigint, last bigint) RETURNS bigint LANGUAGE sql STABLE RETURN (
    SELECT min(r.sequence) FROM audit.holds h JOIN audit.records r
      ON r.sequence BETWEEN greatest(first, h.first_sequence) AND least(last, h.last_sequence)
      AND (h.from_time IS NULL OR r.audit_time >= h.from_time) AND (h.to_time IS NULL OR r.audit_time <= h.to_time)
    WHERE h.released_at IS NULL);

  CREATE FUNCTION audit.erased_in(first bigint, last bigint) RETURNS text LANGUAGE sql STABLE RETURN (
    SELECT coalesce(md5(string_agg(sequence || commitments::text, ',' ORDER BY sequence)), '') FROM audit.records
    WHERE sequence BETWEEN first AND last AND commitments IS NOT NULL);

  CREATE FUNCTION audit.drop_archived(until bigint, erased text) RETURNS bigint LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    archive audit.archives;
    dropped bigint;
  BEGIN
    SELECT * INTO STRICT archive FROM audit.archives WHERE last_sequence = until;
    PERFORM FROM audit.records WHERE sequence <= until ORDER BY sequence FOR UPDATE;
    IF archive.first_sequence % 256 <> 1 OR archive.first_sequence IS DISTINCT FROM (SELECT min(sequence) FROM audit.records)
      OR until - archive.first_sequence + 1 <> (SELECT count(*) FROM audit.records WHERE sequence <= until)
      OR NOT EXISTS (SELECT FROM audit.records WHERE sequence > until) THEN
      RAISE EXCEPTION 'records % to % are not those at the beginning of the audit log', archive.first_sequence, until;
    END IF;
    IF audit.first_held(archive.first_sequence, until) IS NOT NULL THEN
      RAISE EXCEPTION 'record % is on legal hold', audit.first_held(archive.first_sequence, until);
    END IF;
    IF erased IS DISTINCT FROM audit.erased_in(archive.first_sequence, until) THEN
      RAISE EXCEPTION 'values were erased after records % to % were archived', archive.first_sequence, until;
    END IF;
    INSERT INTO audit.leaf_tiles (number, hashes)
      SELECT (r.sequence - 1) / 256, string_agg(CASE WHEN r.previous_hash IS NULL THEN r.hash ELSE n.hash END, ''::bytea
        ORDER BY r.sequence)
      FROM audit.records r LEFT JOIN audit.nodes n ON n.level = 0 AND n.number = r.sequence - 1
      WHERE r.sequence <= until GROUP BY 1;
    DELETE FROM audit.records WHERE sequence <= until;
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN dropped;
  END $$;
  REVOKE ALL ON FUNCTION audit.drop_archived(bigint, text) FROM PUBLIC;
`;

/** Only records whose archive and leaf hashes are stored can be deleted, and none on hold. */
const protection = `
  CREATE FUNCTION audit.refuse_unless_archived() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM audit.leaf_tiles WHERE number = (OLD.sequence - 1) / 256)
      OR NOT EXISTS (SELECT FROM audit.archives WHERE OLD.sequence BETWEEN first_sequence AND last_sequence) THEN
      RAISE EXCEPTION 'the audit record is append-only: DELETE of records refused' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN OLD;
  END $$;
  DROP TRIGGER append_only ON audit.records;
  CREATE TRIGGER append_only BEFORE TRUNCATE ON audit.records
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER only_archived BEFORE DELETE ON audit.records
    FOR EACH ROW EXECUTE FUNCTION audit.refuse_unless_archived();
`;

/** Old records can be moved into archive files. */
export const retention: Migration = {
  name: '0008_retention',
  up: async (trx) => {
    await trx.raw(tables);
    await trx.raw(functions);
    await trx.raw(protection);
  },
};
