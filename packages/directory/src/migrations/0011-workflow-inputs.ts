import type { Migration } from '@waybill/postgres/migrate';

/**
 * The typed inputs of a revision of a workflow. Revisions from before have none. A revision never changes: an older `apply`
 * beside this schema leaves the default, for templates that have no inputs.
 */
export const workflowInputs: Migration = {
  name: '0011_workflow_inputs',
  up: async (trx) => {
    await trx.raw("ALTER TABLE directory.workflow_revisions ADD COLUMN inputs jsonb NOT NULL DEFAULT '{}'");
  },
};
