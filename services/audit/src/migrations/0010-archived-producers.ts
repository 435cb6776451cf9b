import type { Migration } from '@waybill/postgres/migrate';

/**
 * What the archived records say about the numbers of their producers, so that the records after them can be checked.
 * It is null for archives of earlier releases.
 */
export const archivedProducers: Migration = {
  name: '0010_archived_producers',
  up: async (trx) => {
    await trx.raw('ALTER TABLE audit.archives ADD COLUMN producers jsonb');
  },
};
