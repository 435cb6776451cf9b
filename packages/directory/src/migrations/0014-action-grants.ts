import type { Migration } from '@waybill/postgres/migrate';

/**
 * Other VFSs that the jobs of an action reach, by name, with their rights. Actions from before have none; an older `apply`
 * beside this schema leaves the default.
 */
export const actionGrants: Migration = {
  name: '0014_action_grants',
  up: async (trx) => {
    await trx.raw("ALTER TABLE directory.contract_actions ADD COLUMN grants jsonb NOT NULL DEFAULT '[]'");
  },
};
