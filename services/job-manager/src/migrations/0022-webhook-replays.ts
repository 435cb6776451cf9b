import type { Migration } from '@waybill/postgres/migrate';

/** The bodies of webhooks, for a while, and the replays that users have asked for and no worker has carried out yet. */
export const webhookReplays: Migration = {
  name: '0022_webhook_replays',
  up: async (trx) => {
    await trx.raw(`
      -- The delivery that was replayed.
      ALTER TABLE jobs.webhook_deliveries ADD COLUMN replay_of bigint;
      CREATE TABLE jobs.webhook_bodies (
        job_id bigint NOT NULL,
        delivery_id bigint NOT NULL,
        -- Below the address of the connection.
        path text NOT NULL,
        body text NOT NULL,
        stored_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (job_id, delivery_id)
      ) PARTITION BY RANGE (job_id);
      CREATE INDEX webhook_bodies_age ON jobs.webhook_bodies (stored_at);
      -- id is that of the delivery that comes of it; replay_of is unique: one replay of a delivery at a time.
      CREATE TABLE jobs.webhook_replays (
        id bigint PRIMARY KEY,
        replay_of bigint NOT NULL UNIQUE,
        job_id bigint NOT NULL,
        requested_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        leased_until timestamptz NOT NULL DEFAULT '-infinity'
      );
      SELECT jobs.prepare_ranges(3);
    `);
  },
};
