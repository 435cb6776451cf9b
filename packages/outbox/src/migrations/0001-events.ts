import type { Migration } from '@waybill/postgres/migrate';

/** The events to deliver. A trigger wakes the relays when the transaction that appended commits. */
export const events: Migration = {
  name: '0001_events',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE outbox.events (
        id uuid PRIMARY KEY,
        topic text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        last_error text
      );
      CREATE INDEX events_due ON outbox.events (next_attempt_at, id);

      CREATE FUNCTION outbox.wake_relays() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('waybill_outbox', '');
        RETURN NULL;
      END $$;
      CREATE TRIGGER wake_relays AFTER INSERT ON outbox.events
        FOR EACH STATEMENT EXECUTE FUNCTION outbox.wake_relays();
    `);
  },
};
