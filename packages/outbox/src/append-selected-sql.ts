import type { Topic } from '@waybill/contracts/messages/topics';

/**
 * Appends a message for each row of a query that answers `payload`, in its order: as part of a statement that changes what
 * they tell of, for so many that they had better not leave the database. It takes the binding `firstId`, a UUID of version 7 that
 * was made for this one run; those of the messages differ from it behind their time, and sort as they are numbered. Not for
 * what a user wrote: it is SQL.
 */
export function appendSelectedSql(topic: Topic, payloadsSql: string): string {
  return `
    INSERT INTO outbox.events (id, topic, payload)
    SELECT CAST(left(:firstId, 24) || lpad(to_hex(row_number() OVER ()), 8, '0') || right(:firstId, 4) AS uuid),
      '${topic}', payload
    FROM (${payloadsSql}) AS message`;
}
