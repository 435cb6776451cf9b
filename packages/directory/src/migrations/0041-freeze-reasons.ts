import type { Migration } from '@waybill/postgres/migrate';

/** Why a user was frozen, for those who find the user frozen later. */
export const freezeReasons: Migration = {
  name: '0041_freeze_reasons',
  up: async (trx) => {
    await trx.raw('ALTER TABLE directory.frozen_users ADD COLUMN reason text');
  },
};
