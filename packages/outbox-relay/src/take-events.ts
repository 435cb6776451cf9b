import { topics, type Topic, type TopicPayload } from '@waybill/contracts/messages/topics';
import type { Database, Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { EventHandler, ReceivedEvent } from './received-event.ts';

/** Which events to take, and their handler. */
export interface EventsToTake<T extends Topic> {
  db: Database;
  topic: T;
  handle: EventHandler<T>;
}

interface StoredEvent {
  id: string;
  created_at: Date;
  payload: unknown;
}

/** Thrown if a batch could not be handled: all its events are still stored. */
export class BatchError extends Error {
  /** The ids of the batch. */
  readonly ids: readonly string[];

  constructor(ids: readonly string[], cause: unknown) {
    super('a batch of events could not be handled', { cause });
    this.ids = ids;
  }
}

/**
 * Takes the due events of a topic, oldest first and at most `limit`, and handles them in one transaction. Events that
 * another consumer has locked are skipped. Returns the handled events. `onTaken` is called with their number before they
 * are handled. @throws BatchError if they cannot be handled
 */
export function takeDue<T extends Topic>(
  options: EventsToTake<T>,
  { limit, onTaken }: { limit: number; onTaken(count: number): void },
): Promise<ReceivedEvent<T>[]> {
  return take(options, async (trx) => {
    const events = await runPrepared<StoredEvent>(trx, takeDueStatement, { topic: options.topic, limit });
    onTaken(events.length);
    return events;
  });
}

/** The same with those of these events that still exist, due or not. */
export function takeThese<T extends Topic>(
  options: EventsToTake<T>,
  ids: readonly string[],
): Promise<ReceivedEvent<T>[]> {
  return take(options, (trx) => runPrepared<StoredEvent>(trx, takeTheseStatement, { topic: options.topic, ids }));
}

async function take<T extends Topic>(
  { db, topic, handle }: EventsToTake<T>,
  remove: (trx: Transaction) => Promise<StoredEvent[]>,
): Promise<ReceivedEvent<T>[]> {
  let ids: string[] = [];
  try {
    return await db.transaction(async (trx) => {
      const rows = (await remove(trx)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
      if (rows.length === 0) return [];
      ids = rows.map(({ id }) => id);
      const events = rows.map(({ id, created_at: createdAt, payload }) => ({
        id,
        createdAt,
        payload: parse(topic, payload),
      }));
      await handle(trx, events);
      return events;
    });
  } catch (error) {
    throw ids.length > 0 ? new BatchError(ids, error) : error;
  }
}

/** The ids are an array, so that the rows are found by id, however many others there are. */
const takeDueStatement = prepareStatement(
  'outbox take due',
  `DELETE FROM outbox.events
   WHERE id = ANY (ARRAY(
     SELECT id FROM outbox.events WHERE topic = :topic AND next_attempt_at <= now()
     ORDER BY next_attempt_at, id LIMIT CAST(:limit AS integer) FOR UPDATE SKIP LOCKED))
   RETURNING id, created_at, payload`,
);

const takeTheseStatement = prepareStatement(
  'outbox take these',
  `DELETE FROM outbox.events
   WHERE id = ANY (ARRAY(
     SELECT id FROM outbox.events WHERE id = ANY (CAST(:ids AS uuid[])) AND topic = :topic
     ORDER BY id FOR UPDATE SKIP LOCKED))
   RETURNING id, created_at, payload`,
);

function parse<T extends Topic>(topic: T, payload: unknown): TopicPayload<T> {
  // The table maps each topic to its own schema; the compiler cannot follow that through an indexed access.
  return topics[topic].parse(payload) as TopicPayload<T>;
}
