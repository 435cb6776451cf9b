import type { Migration } from '@waybill/postgres/migrate';

/** Why a webhook was not sent, or got no response: without a response there is nothing that the text could quote of one. */
export const reasonsOfDeliveries: Migration = {
  name: '0026_reasons_of_deliveries',
  up: async (trx) => {
    await trx.raw('ALTER TABLE jobs.webhook_deliveries ADD COLUMN reason text;');
  },
};
