import type { Topic } from '@waybill/contracts/messages/topics';

/**
 * Appends a message for each row of a query that returns `payload`, in its order: as part of a statement that makes the
 * change, for messages too many to pass through the process. It takes the binding `firstId`, a UUID of version 7
 * generated for this one run; the ids of the messages differ from it after their time, and sort in order. Do not pass
 * user input: it is SQL.
 */
export function appendSelectedSql(topic: Topic, payloadsSql: string): string {
  return `
    INSERT INTO outbox.events (id, topic, payload)
    SELECT CAST(left(:firstId, 24) || lpad(to_hex(row_number() OVER ()), 8, '0') || right(:firstId, 4) AS uuid),
      '${topic}', payload
    FROM (${payloadsSql}) AS message`;
}
