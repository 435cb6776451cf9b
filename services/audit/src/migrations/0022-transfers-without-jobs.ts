import type { Migration } from '@waybill/postgres/migrate';

/**
 * The transfers of one user, as `0019_sizes_of_transfers` has them, without the files that jobs read and wrote for the user. Only
 * transfers are made in a session; it may have been erased. Records of early releases, which tell nothing of their circumstances,
 * count as transfers.
 */
const transfersOf = `
  CREATE OR REPLACE FUNCTION audit.transfers_of(whose text, before_time timestamptz, before_sequence bigint, amount int)
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
        AND (coalesce(r.context -> 'session', r.commitments -> 'session') IS NOT NULL
          OR coalesce(r.virtual_file_system, r.commitments ->> 'virtualFileSystem') IS NULL)
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
`;

/** Users see what they have transferred themselves. */
export const transfersWithoutJobs: Migration = {
  name: '0022_transfers_without_jobs',
  up: async (trx) => {
    await trx.raw(transfersOf);
  },
};
