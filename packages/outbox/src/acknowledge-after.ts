import { topics, type Topic, type TopicPayload } from '@waybill/contracts/messages/topics';
import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { EventHandler, ReceivedEvent } from './received-event.ts';

interface StoredEvent {
  id: string;
  created_at: Date;
  payload: unknown;
}

/**
 * Takes the named events away and handles them, in the order of their ids and in one transaction. Events that are gone (handled before) or in
 * somebody else's hands are passed over. Answers the events that were handled.
 */
export async function acknowledgeAfter<T extends Topic>(options: {
  db: Database;
  topic: T;
  ids: readonly string[];
  handle: EventHandler<T>;
}): Promise<ReceivedEvent<T>[]> {
  const { db, topic, ids, handle } = options;
  return db.transaction(async (trx) => {
    const rows = await runPrepared<StoredEvent>(trx, takeAwayStatement, { ids, topic });
    if (rows.length === 0) return [];
    const events = rows
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, created_at: createdAt, payload }) => ({ id, createdAt, payload: parse(topic, payload) }));
    await handle(trx, events);
    return events;
  });
}

const takeAwayStatement = prepareStatement(
  'outbox take away',
  `DELETE FROM outbox.events
   WHERE id = ANY (ARRAY(
     SELECT id FROM outbox.events WHERE id = ANY (CAST(:ids AS uuid[])) AND topic = :topic FOR UPDATE SKIP LOCKED))
   RETURNING id, created_at, payload`,
);

function parse<T extends Topic>(topic: T, payload: unknown): TopicPayload<T> {
  // The table maps each topic to its own schema; the compiler cannot follow that through an indexed access.
  return topics[topic].parse(payload) as TopicPayload<T>;
}
