import type { Migration } from '@waybill/postgres/migrate';

/** The retired keys of the audit log. A row that its `vouched_by` has not signed has no effect. */
export const keyVouchers: Migration = {
  name: '0002_key_vouchers',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE audit.key_vouchers (
        public_key text COLLATE "C" NOT NULL,
        vouched_by text COLLATE "C" NOT NULL,
        signature text NOT NULL,
        added_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (public_key, vouched_by, signature)
      );
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit.key_vouchers
        FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
    `);
  },
};
