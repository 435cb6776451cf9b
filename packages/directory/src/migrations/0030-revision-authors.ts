import type { Migration } from '@waybill/postgres/migrate';

/** Who has applied a revision of a workflow; unknown for those of earlier versions. */
export const revisionAuthors: Migration = {
  name: '0030_revision_authors',
  up: async (trx) => {
    await trx.raw('ALTER TABLE directory.workflow_revisions ADD COLUMN applied_by text');
  },
};
