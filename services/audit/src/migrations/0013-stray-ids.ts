import type { Migration } from '@waybill/postgres/migrate';

/**
 * Ids begin with the milliseconds at which they were made (UUID version 7), which is nearly always the time of the record,
 * so that a range of time is a range of ids. The few ids that are more than a minute away from the time of their record
 * have indexes of their own, and so have the ids of the records before.
 */
export const strayIds: Migration = {
  name: '0013_stray_ids',
  up: async (trx) => {
    await trx.raw(`
      CREATE FUNCTION audit.is_stray(id uuid, audit_time timestamptz) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        abs(('0x' || left(translate(id::text, '-', ''), 12))::bigint
          - 1000 * date_part('epoch', audit_time - timestamptz '1970-01-01 00:00:00Z')) > 60000;
      CREATE INDEX records_stray_id ON audit.records (id, audit_time) WHERE audit.is_stray(id, audit_time);
      CREATE INDEX records_stray_correlation_id ON audit.records (correlation_id, audit_time)
        WHERE audit.is_stray(correlation_id, audit_time);
    `);
  },
};
