import type { Migration } from '@waybill/postgres/migrate';

/**
 * The outputs of a revision of a workflow. Revisions from before have none. A revision never changes: an older `apply` beside this
 * schema leaves the default, for templates that have no outputs.
 */
export const workflowOutputs: Migration = {
  name: '0017_workflow_outputs',
  up: async (trx) => {
    await trx.raw("ALTER TABLE directory.workflow_revisions ADD COLUMN outputs jsonb NOT NULL DEFAULT '{}'");
  },
};
