import type { Migration } from '@waybill/postgres/migrate';

/** Resumable uploads whose length is announced later, and those that are concatenated. */
export const uploadConcatenation: Migration = {
  name: '0006_upload_concatenation',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE http_files.resumable_uploads ALTER COLUMN length DROP NOT NULL;
      ALTER TABLE http_files.resumable_uploads ADD COLUMN concatenation text;
      -- The names of the parts may be longer than an entry of a B-tree.
      CREATE INDEX resumable_uploads_final ON http_files.resumable_uploads USING hash (concatenation)
        WHERE concatenation IS NOT NULL AND concatenation <> 'partial';
    `);
  },
};
