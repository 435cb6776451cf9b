import type { Migration } from '@waybill/postgres/migrate';

/** What `audit.is_stray` compares, as PostgreSQL has it in a statement. */
function distanceOf(id: 'id' | 'correlation_id'): string {
  return `(abs(('0x' || left(translate(${id}::text, '-', ''), 12))::bigint
    - 1000 * date_part('epoch', audit_time - timestamptz '1970-01-01 00:00:00Z')))`;
}

/**
 * PostgreSQL knows how few the stray ids are. Without statistics it takes a third of the records for strays, and reads all that
 * follow a cursor instead of the index of the strays, the sooner the wider the records are.
 */
export const statisticsOfStrays: Migration = {
  name: '0016_statistics_of_strays',
  up: async (trx) => {
    await trx.raw(`
      CREATE STATISTICS audit.records_stray_ids ON ${distanceOf('id')} FROM audit.records;
      CREATE STATISTICS audit.records_stray_correlation_ids ON ${distanceOf('correlation_id')} FROM audit.records;
      ANALYZE audit.records;
    `);
  },
};
