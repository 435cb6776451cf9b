import type { Topic, TopicPayload } from '@waybill/contracts/messages/topics';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';

/** A message of any topic. */
export type OutboxMessage = { [T in Topic]: { topic: T; payload: TopicPayload<T> } }[Topic];

/** Messages as the parameter of `appendMessagesSql`; their ids keep their order. */
export function messageBindings(messages: readonly OutboxMessage[]) {
  return { messages: JSON.stringify(messages.map(({ topic, payload }) => ({ id: uuidV7(), topic, payload }))) };
}

/**
 * Appends the messages of `messageBindings`; it may be part of a statement that changes what they tell of, and take a
 * condition behind it.
 */
export const appendMessagesSql = `
  INSERT INTO outbox.events (id, topic, payload)
  SELECT id, topic, payload
  FROM jsonb_to_recordset(CAST(:messages AS jsonb)) AS message (id uuid, topic text, payload jsonb)`;
