import type { Migration } from '@waybill/postgres/migrate';

/**
 * Relays are woken once for many events: a transaction that notifies blocks the commit of every other one that does
 * until its own commit is on disk, which would serialise busy writers at the disk. If an event of the last moment has
 * not been delivered yet, a relay was woken for it, and polls again after that.
 */
export const calmWakings: Migration = {
  name: '0002_calm_wakings',
  up: async (trx) => {
    await trx.raw(`
      CREATE OR REPLACE FUNCTION outbox.wake_relays() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (
          SELECT FROM outbox.events
          WHERE next_attempt_at > now() - interval '100 milliseconds' AND next_attempt_at < now()
            AND created_at = next_attempt_at
        ) THEN
          PERFORM pg_notify('waybill_outbox', '');
        END IF;
        RETURN NULL;
      END $$;
    `);
  },
};
