import type { Migration } from '@waybill/postgres/migrate';

/** The salt of a field and the commitment to its value, as in `docs/audit-log.md`. */
const commitments = `
  CREATE FUNCTION audit.salt_of(field text, salt bytea, salts jsonb) RETURNS text LANGUAGE sql STABLE RETURN
    coalesce(salts ->> field, left(encode(sha256(convert_to(encode(salt, 'hex') || field, 'UTF8')), 'hex'), 32));

  CREATE FUNCTION audit.commitment_to(field text, salt text, value jsonb) RETURNS text LANGUAGE sql STABLE RETURN
    encode(sha256(convert_to(format('{"name":%s,"salt":"%s","value":%s}', to_jsonb(field), salt, value), 'UTF8')), 'hex');

  CREATE FUNCTION audit.personal_hash_of(record audit.records) RETURNS text LANGUAGE sql STABLE RETURN
    encode(sha256(convert_to(format('{"auditMessage":%s,"dataoneUser":%s,"entityId":%s,"entityName":%s,"salt":"%s"}',
      to_jsonb((record).audit_message), to_jsonb((record).dataone_user), to_jsonb((record).entity_id),
      to_jsonb((record).entity_name), encode((record).salt, 'hex')), 'UTF8')), 'hex');
`;

/**
 * A record without the values of these fields, and nothing else changed. A field that it does not have is ignored. In a
 * record of the former hash chain one hash covers four fields: only all of them can be erased.
 */
const redacted = `
  CREATE FUNCTION audit.redacted(record audit.records, fields text[]) RETURNS audit.records LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    four CONSTANT text[] := '{auditMessage,dataoneUser,entityId,entityName}';
    erased jsonb := coalesce(record.commitments, '{}');
    given jsonb := '{}';
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
      erased := jsonb_build_object('auditMessage', '', 'dataoneUser', '', 'entityId', '', 'entityName', '');
    ELSE
      given := coalesce(record.context, '{}') || jsonb_strip_nulls(jsonb_build_object(
        'address', record.address, 'virtualFileSystem', record.virtual_file_system)) || (jsonb_build_object(
        'auditMessage', record.audit_message, 'dataoneUser', record.dataone_user, 'entityId', record.entity_id,
        'entityName', record.entity_name) - ARRAY(SELECT jsonb_object_keys(erased)));
      IF NOT given ?| fields THEN
        RETURN record;
      END IF;
      erased := erased || (SELECT jsonb_object_agg(key,
          audit.commitment_to(key, audit.salt_of(key, record.salt, record.salts), value))
        FROM jsonb_each(given) WHERE key = ANY (fields));
      changed.commitments := erased;
      changed.salts := (SELECT coalesce(jsonb_object_agg(key, audit.salt_of(key, record.salt, record.salts)), '{}')
        FROM jsonb_each(given) WHERE key <> ALL (fields));
      changed.address := CASE WHEN erased ? 'address' THEN NULL ELSE record.address END;
      changed.virtual_file_system :=
        CASE WHEN erased ? 'virtualFileSystem' THEN NULL ELSE record.virtual_file_system END;
      changed.context := nullif(record.context - fields, '{}');
    END IF;
    changed.salt := NULL;
    changed.audit_message := CASE WHEN erased ? 'auditMessage' THEN '[redacted]' ELSE record.audit_message END;
    changed.dataone_user := CASE WHEN erased ? 'dataoneUser' THEN '[redacted]' ELSE record.dataone_user END;
    changed.entity_id := CASE WHEN erased ? 'entityId' THEN '[redacted]' ELSE record.entity_id END;
    changed.entity_name := CASE WHEN erased ? 'entityName' THEN '[redacted]' ELSE record.entity_name END;
    RETURN changed;
  END $$;
`;

/**
 * Erases the values of these fields in these records, and returns the numbers of the records that it changed. Records of the
 * log about itself (AUD01..) are left as they are: verification relies on them.
 */
const redact = `
  CREATE FUNCTION audit.redact(numbers bigint[], fields text[]) RETURNS SETOF bigint LANGUAGE plpgsql
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
          salt, salts, commitments) =
        ROW (changed.dataone_user, changed.entity_name, changed.entity_id, changed.audit_message, changed.address,
          changed.virtual_file_system, changed.context, changed.salt, changed.salts, changed.commitments)
        WHERE sequence = found.sequence;
      RETURN NEXT found.sequence;
    END LOOP;
  END $$;
  REVOKE ALL ON FUNCTION audit.redact(bigint[], text[]) FROM PUBLIC;
`;

/** An UPDATE that is not exactly a redaction is refused, also to the owner of the table. */
const protection = `
  CREATE FUNCTION audit.refuse_unless_redacted() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    fields text[] := ARRAY(SELECT key FROM jsonb_object_keys(NEW.commitments) AS key
      WHERE NOT coalesce(OLD.commitments, '{}') ? key);
  BEGIN
    IF 'personalHash' = ANY (fields) THEN
      fields := '{auditMessage,dataoneUser,entityId,entityName}';
    END IF;
    IF fields = '{}' OR OLD.audit_code LIKE 'AUD01%' OR NEW IS DISTINCT FROM audit.redacted(OLD, fields) THEN
      RAISE EXCEPTION 'the audit record is append-only: UPDATE of records refused' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
  END $$;
  DROP TRIGGER append_only ON audit.records;
  CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON audit.records
    FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
  CREATE TRIGGER only_redacted BEFORE UPDATE ON audit.records
    FOR EACH ROW EXECUTE FUNCTION audit.refuse_unless_redacted();
`;

/** Personal values can be erased by request: their commitments remain, and all proofs with them. */
export const redaction: Migration = {
  name: '0006_redaction',
  up: async (trx) => {
    await trx.raw(commitments);
    await trx.raw(redacted.replaceAll('?', String.raw`\?`));
    await trx.raw(redact);
    await trx.raw(protection.replaceAll('?', String.raw`\?`));
  },
};
