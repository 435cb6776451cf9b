import type { Migration } from '@waybill/postgres/migrate';

/** Files that were stored under a temporary name, and are announced when they get their final one. */
export const unannounced: Migration = {
  name: '0004_unannounced',
  up: async (trx) => {
    await trx.raw('ALTER TABLE filebox.entries ADD COLUMN unannounced boolean NOT NULL DEFAULT false');
  },
};
