import type { Topic, TopicPayload } from '@waybill/contracts/messages/topics';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';

/** A message of any topic. */
export type OutboxMessage = { [T in Topic]: { topic: T; payload: TopicPayload<T> } }[Topic];

/** Messages as columns, for `appendMessagesSql`; their ids keep their order. */
export function messageBindings(messages: readonly OutboxMessage[]) {
  return {
    messageIds: messages.map(() => uuidV7()),
    messageTopics: messages.map(({ topic }) => topic),
    messagePayloads: messages.map(({ payload }) => JSON.stringify(payload)),
  };
}

/** Appends the messages of `messageBindings`; it may be the end of a statement that changes what they tell of. */
export const appendMessagesSql = `
  INSERT INTO outbox.events (id, topic, payload)
  SELECT id, topic, CAST(payload AS jsonb) FROM unnest(
    CAST(:messageIds AS uuid[]), CAST(:messageTopics AS text[]), CAST(:messagePayloads AS text[])
  ) AS message (id, topic, payload)`;
