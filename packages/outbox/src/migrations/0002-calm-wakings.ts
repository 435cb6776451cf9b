import type { Migration } from '@waybill/postgres/migrate';

/**
 * Relays are woken once for many events: a transaction that notifies keeps every other one that does from committing until
 * its own commit is on disk, so that busy writers would take turns at the disk. Where an event of the last moment is still
 * to be handed over, somebody was woken for it, and looks again after that.
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
