import type { Migration } from '@waybill/postgres/migrate';

/**
 * The circumstances and the producer of a record, and what remains of a record whose personal fields were erased: in
 * place of `salt` the salts of the fields that are left, and the commitments to the others.
 */
export const personalFields: Migration = {
  name: '0004_personal_fields',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE audit.records
        ALTER COLUMN salt DROP NOT NULL,
        ADD COLUMN address text COLLATE "C",
        ADD COLUMN virtual_file_system text COLLATE "C",
        ADD COLUMN context jsonb,
        ADD COLUMN producer_id text COLLATE "C",
        ADD COLUMN producer_number bigint,
        ADD COLUMN producer_settled bigint,
        ADD COLUMN producer_voided jsonb,
        ADD COLUMN salts jsonb,
        ADD COLUMN commitments jsonb
    `);
  },
};
