import type { Migration } from '@waybill/postgres/migrate';

/** What HTTP knows of an upload that operators list or remove by its blob. */
export const uploadsByBlob: Migration = {
  name: '0010_uploads_by_blob',
  up: async (trx) => {
    await trx.raw('CREATE INDEX resumable_uploads_blob ON http_files.resumable_uploads (blob_id)');
  },
};
