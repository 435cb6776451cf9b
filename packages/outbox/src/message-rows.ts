import type { Topic, TopicPayload } from '@waybill/contracts/messages/topics';
import { parentOf, parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { everyFolder, fileEventSubject } from './listen-to.ts';

/** A message of any topic. */
export type OutboxMessage = { [T in Topic]: { topic: T; payload: TopicPayload<T> } }[Topic];

/** The appended messages: one row each, in no order. */
export interface AppendedMessage {
  topic: Topic;
}

/** Messages as the parameter of `appendMessagesSql`; their ids keep their order. */
export function messageBindings(messages: readonly OutboxMessage[]): MessageBindings {
  return {
    messages: JSON.stringify(messages.map((message) => ({ ...message, id: uuidV7(), ...subjectsOf(message) }))),
  };
}

/** The parameter of `appendMessagesSql`. */
export interface MessageBindings {
  readonly messages: string;
}

/** What a listener may listen to: the folder of a file, or all folders of its VFS. Messages without are always appended. */
function subjectsOf({ topic, payload }: OutboxMessage): { subject?: string; wider?: string } {
  if (topic !== 'file-event') return {};
  const { kind, vfsId, path } = payload;
  return {
    subject: fileEventSubject({ kind, vfsId, folder: parentOf(parseVirtualPath(path)) }),
    wider: fileEventSubject({ kind, vfsId, folder: everyFolder }),
  };
}

/**
 * Appends the messages of `messageBindings` whose subject has a listener. It may be part of a statement that makes the
 * change, and be followed by a condition and `RETURNING topic`. The statement that appends also reads the listeners, so
 * that `listenToEverything` can tell which transactions have not seen one.
 */
export const appendMessagesSql = `
  INSERT INTO outbox.events (id, topic, payload)
  SELECT id, topic, payload
  FROM (
    SELECT id, topic, payload
    FROM jsonb_to_recordset(CAST(:messages AS jsonb)) AS given (id uuid, topic text, payload jsonb, subject text, wider text)
    WHERE subject IS NULL
      OR EXISTS (SELECT FROM outbox.listened WHERE listened.subject IN (given.subject, given.wider, '*'))
  ) AS message`;
