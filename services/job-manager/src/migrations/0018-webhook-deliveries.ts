import type { Migration } from '@waybill/postgres/migrate';

/** Each attempt to deliver a webhook. The rows of a range of jobs are dropped with the jobs. Bodies are not kept. */
export const webhookDeliveries: Migration = {
  name: '0018_webhook_deliveries',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE jobs.webhook_deliveries (
        id bigint NOT NULL,
        job_id bigint NOT NULL,
        step text NOT NULL,
        attempt integer NOT NULL,
        connection text NOT NULL,
        webhook_id text NOT NULL,
        begun_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        -- Of the response; none if there was no response.
        status integer,
        -- Code of the error; none if it was delivered.
        error text,
        PRIMARY KEY (job_id, id)
      ) PARTITION BY RANGE (job_id);
      CREATE SEQUENCE jobs.webhook_delivery_ids OWNED BY jobs.webhook_deliveries.id;
      ALTER TABLE jobs.webhook_deliveries ALTER COLUMN id SET DEFAULT nextval('jobs.webhook_delivery_ids');
      CREATE INDEX webhook_deliveries_order ON jobs.webhook_deliveries (id);
      CREATE INDEX webhook_deliveries_connection ON jobs.webhook_deliveries (connection, id);
      CREATE INDEX webhook_deliveries_failed ON jobs.webhook_deliveries (id) WHERE error IS NOT NULL;
      SELECT jobs.prepare_ranges(3);
    `);
  },
};
