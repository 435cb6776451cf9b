import type { Migration } from '@waybill/postgres/migrate';

/** Uploads that are identified by their blob and kept, held or not, until a time that their client was told. */
export const stagedUploads: Migration = {
  name: '0007_staged_uploads',
  up: async (trx) => {
    await trx.raw('ALTER TABLE filebox.uploads ADD COLUMN kept_until timestamptz');
  },
};
