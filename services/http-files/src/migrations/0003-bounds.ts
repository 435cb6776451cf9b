import type { Migration } from '@waybill/postgres/migrate';

/**
 * What counts the unfinished uploads of a user, and what shows that nothing refers to a receipt that is to be deleted.
 */
export const bounds: Migration = {
  name: '0003_bounds',
  up: async (trx) => {
    await trx.raw(`
      CREATE INDEX resumable_uploads_unfinished ON http_files.resumable_uploads (user_name) WHERE fileset IS NULL;
      CREATE INDEX resumable_uploads_receipt ON http_files.resumable_uploads (fileset) WHERE fileset IS NOT NULL;
      CREATE INDEX idempotency_keys_receipt ON http_files.idempotency_keys (fileset);
    `);
  },
};
