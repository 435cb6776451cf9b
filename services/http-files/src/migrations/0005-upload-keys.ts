import type { Migration } from '@waybill/postgres/migrate';

/** The client's key of a resumable upload before it knows its address. */
export const uploadKeys: Migration = {
  name: '0005_upload_keys',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE http_files.resumable_uploads ADD COLUMN idempotency_key text;
      CREATE UNIQUE INDEX resumable_uploads_key ON http_files.resumable_uploads (user_name, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
    `);
  },
};
