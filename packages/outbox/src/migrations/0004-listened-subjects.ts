import type { Migration } from '@waybill/postgres/migrate';

/**
 * Events of a subject are appended only while a listener listens to it. Until a configuration is applied all subjects
 * are listened to. Relays learn of events from the process that commits them, and consumers poll for those of their
 * topic: no trigger has to wake them.
 */
export const listenedSubjects: Migration = {
  name: '0004_listened_subjects',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE outbox.listened (
        subject text NOT NULL,
        listener text NOT NULL,
        since timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (subject, listener)
      );
      INSERT INTO outbox.listened (subject, listener) VALUES ('*', 'default');

      DROP TRIGGER wake_relays ON outbox.events;
      DROP FUNCTION outbox.wake_relays();
      DROP INDEX outbox.events_due;
      CREATE INDEX events_due ON outbox.events (topic, next_attempt_at, id);
    `);
  },
};
