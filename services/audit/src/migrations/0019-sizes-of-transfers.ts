import type { Migration } from '@waybill/postgres/migrate';

/**
 * The transfers of one user, as `0014_transfers_of_users` has them, with the bytes of each: those that the record has, which
 * are those of the file.
 */
const transfersOf = `
  DROP FUNCTION audit.transfers_of(text, timestamptz, bigint, int);
  CREATE FUNCTION audit.transfers_of(whose text, before_time timestamptz, before_sequence bigint, amount int)
    RETURNS TABLE (transfer boolean, sequence bigint, audit_time timestamptz, audit_code text, path text, fileset text,
      dfiid text, virtual_file_system text, address text, client text, bytes bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  #variable_conflict use_column
  DECLARE
    looked CONSTANT int := 10000;
    listed bigint;
  BEGIN
    RETURN QUERY SELECT true, r.sequence, r.audit_time, r.audit_code, r.entity_name, r.entity_id, r.dfiid,
        r.virtual_file_system, r.address, r.context ->> 'client',
        CASE WHEN jsonb_typeof(r.context -> 'fileSize') = 'number' THEN CAST(r.context ->> 'fileSize' AS bigint) END
      FROM (SELECT * FROM audit.records
        WHERE (left(dataone_user, 100), audit_time, sequence) < (left(whose, 100), before_time, before_sequence)
          AND left(dataone_user, 100) >= left(whose, 100)
        ORDER BY left(dataone_user, 100) DESC, audit_time DESC, sequence DESC LIMIT looked) AS r
      WHERE r.audit_code IN ('AUD0041A', 'AUD0042A') AND r.dataone_user = whose
      ORDER BY r.audit_time DESC, r.sequence DESC LIMIT amount;
    GET DIAGNOSTICS listed = ROW_COUNT;
    IF listed < amount THEN
      RETURN QUERY SELECT false, r.sequence, r.audit_time, r.audit_code, NULL::text, NULL::text, NULL::text, NULL::text,
          NULL::text, NULL::text, NULL::bigint
        FROM audit.records AS r
        WHERE (left(r.dataone_user, 100), r.audit_time, r.sequence) < (left(whose, 100), before_time, before_sequence)
          AND left(r.dataone_user, 100) >= left(whose, 100)
        ORDER BY left(r.dataone_user, 100) DESC, r.audit_time DESC, r.sequence DESC OFFSET looked - 1 LIMIT 1;
    END IF;
  END $$;
  REVOKE ALL ON FUNCTION audit.transfers_of(text, timestamptz, bigint, int) FROM PUBLIC;
`;

/** Users see how many bytes their transfers had. */
export const sizesOfTransfers: Migration = {
  name: '0019_sizes_of_transfers',
  up: async (trx) => {
    await trx.raw(transfersOf);
  },
};
