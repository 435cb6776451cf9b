import type { Migration } from '@waybill/postgres/migrate';

/**
 * `salt` has 16 bytes for each personal field that has a value, in the order of their names; before, the salts of the fields
 * were derived from 16 bytes, and were in `salts` after a redaction. The salts of existing records remain the same, and
 * with them their leaves. Records of the former hash chain keep their salt.
 */
const conversion = `
  CREATE FUNCTION audit.personal_values_of(record audit.records) RETURNS jsonb LANGUAGE sql STABLE
    SET search_path = pg_catalog, pg_temp RETURN
    coalesce((record).context, '{}') || jsonb_strip_nulls(jsonb_build_object(
      'address', (record).address, 'virtualFileSystem', (record).virtual_file_system)) || (jsonb_build_object(
      'auditMessage', (record).audit_message, 'dataoneUser', (record).dataone_user, 'entityId', (record).entity_id,
      'entityName', (record).entity_name) - ARRAY(SELECT jsonb_object_keys((record).commitments)));

  ALTER TABLE audit.records DISABLE TRIGGER only_redacted;
  UPDATE audit.records r SET salt = coalesce((
      SELECT string_agg(decode(audit.salt_of(key, r.salt, r.salts), 'hex'), ''::bytea ORDER BY key COLLATE "C")
      FROM jsonb_object_keys(audit.personal_values_of(r)) AS key), ''::bytea)
    WHERE previous_hash IS NULL;
  ALTER TABLE audit.records ENABLE TRIGGER only_redacted;
  DROP FUNCTION audit.salt_of(text, bytea, jsonb);
`;

/** As in the migration 0006, with the salts of the fields that are left. */
const redacted = `
  CREATE OR REPLACE FUNCTION audit.redacted(record audit.records, fields text[]) RETURNS audit.records LANGUAGE plpgsql
    STABLE SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    four CONSTANT text[] := '{auditMessage,dataoneUser,entityId,entityName}';
    erased jsonb := coalesce(record.commitments, '{}');
    given jsonb := '{}';
    names text[];
    changed audit.records := record;
  BEGIN
    IF record.previous_hash IS NOT NULL THEN
      IF record.salt IS NULL OR NOT fields && four THEN
        RETURN record;
      END IF;
      IF NOT fields @> four THEN
        RAISE EXCEPTION 'record % is of the former hash chain: auditMessage, dataoneUser, entityId and entityName can only be erased together',
          record.sequence USING ERRCODE = 'invalid_parameter_value';
      END IF;
      changed.commitments := jsonb_build_object('personalHash', audit.personal_hash_of(record));
      changed.salt := NULL;
      erased := jsonb_build_object('auditMessage', '', 'dataoneUser', '', 'entityId', '', 'entityName', '');
    ELSE
      given := audit.personal_values_of(record);
      IF NOT given ?| fields THEN
        RETURN record;
      END IF;
      names := ARRAY(SELECT key FROM jsonb_object_keys(given) AS key ORDER BY key COLLATE "C");
      erased := erased || (SELECT jsonb_object_agg(name, audit.commitment_to(name,
          encode(substring(record.salt FROM place::int * 16 - 15 FOR 16), 'hex'), given -> name))
        FROM unnest(names) WITH ORDINALITY AS fields_with_salts (name, place) WHERE name = ANY (fields));
      changed.commitments := erased;
      changed.salt := coalesce((
        SELECT string_agg(substring(record.salt FROM place::int * 16 - 15 FOR 16), ''::bytea ORDER BY place)
        FROM unnest(names) WITH ORDINALITY AS fields_with_salts (name, place) WHERE name <> ALL (fields)), ''::bytea);
      changed.address := CASE WHEN erased ? 'address' THEN NULL ELSE record.address END;
      changed.virtual_file_system :=
        CASE WHEN erased ? 'virtualFileSystem' THEN NULL ELSE record.virtual_file_system END;
      changed.context := nullif(record.context - fields, '{}');
    END IF;
    changed.audit_message := CASE WHEN erased ? 'auditMessage' THEN '[redacted]' ELSE record.audit_message END;
    changed.dataone_user := CASE WHEN erased ? 'dataoneUser' THEN '[redacted]' ELSE record.dataone_user END;
    changed.entity_id := CASE WHEN erased ? 'entityId' THEN '[redacted]' ELSE record.entity_id END;
    changed.entity_name := CASE WHEN erased ? 'entityName' THEN '[redacted]' ELSE record.entity_name END;
    RETURN changed;
  END $$;
`;

const redact = `
  CREATE OR REPLACE FUNCTION audit.redact(numbers bigint[], fields text[]) RETURNS SETOF bigint LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    found audit.records;
    changed audit.records;
  BEGIN
    FOR found IN SELECT r.* FROM audit.records r
      WHERE r.sequence = ANY (numbers) AND r.audit_code NOT LIKE 'AUD01%' ORDER BY r.sequence FOR UPDATE
    LOOP
      changed := audit.redacted(found, fields);
      CONTINUE WHEN changed IS NOT DISTINCT FROM found;
      UPDATE audit.records SET (dataone_user, entity_name, entity_id, audit_message, address, virtual_file_system, context,
          salt, commitments) =
        ROW (changed.dataone_user, changed.entity_name, changed.entity_id, changed.audit_message, changed.address,
          changed.virtual_file_system, changed.context, changed.salt, changed.commitments)
        WHERE sequence = found.sequence;
      RETURN NEXT found.sequence;
    END LOOP;
  END $$;

  ALTER TABLE audit.records DROP COLUMN salts;
`;

/** Each personal field has random bytes of its own as its salt. */
export const saltsOfFields: Migration = {
  name: '0009_salts_of_fields',
  up: async (trx) => {
    await trx.raw(conversion.replaceAll('?', String.raw`\?`));
    await trx.raw(redacted.replaceAll('?', String.raw`\?`));
    await trx.raw(redact);
  },
};
