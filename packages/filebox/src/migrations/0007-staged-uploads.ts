import type { Migration } from '@waybill/postgres/migrate';

/** Uploads that are named by their blob and kept, held by somebody or not, until a time that their client was told. */
export const stagedUploads: Migration = {
  name: '0007_staged_uploads',
  up: async (trx) => {
    await trx.raw('ALTER TABLE filebox.uploads ADD COLUMN kept_until timestamptz');
  },
};
