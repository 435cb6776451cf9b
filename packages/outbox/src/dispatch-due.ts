import { jobReadySchema } from '@waybill/contracts/messages/job-ready';
import type { Topic } from '@waybill/contracts/messages/topics';
import type { QueueItem, SendingQueue } from '@waybill/job-queue/create-queue';
import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { HandedOver } from './handed-over.ts';

interface DueEvent {
  id: string;
  topic: Topic;
  payload: unknown;
}

/** What a round of handing over needs. */
export interface DispatchOptions {
  db: Database;
  queues: Readonly<Record<Topic, SendingQueue<HandedOver>>>;
  onHandedOver(topic: Topic, count: number): void;
}

/** Events taken at a time. */
const roundSize = 1_000;

/** Events that one message names at most: its consumer takes them together, or one by one should any of them fail. */
const batchSizes: Readonly<Record<Topic, number>> = { 'audit-event': 500, 'file-event': 25, 'job-ready': 1 };

/**
 * Hands over every event that is due, oldest first. Events that another relay is handing over are left to it. The taking
 * is committed before the hand-over: a consumer passes over what is still locked, and would not be asked again for 15 s.
 * Answers how many there were.
 */
export async function dispatchDue({ db, queues, onHandedOver }: DispatchOptions): Promise<number> {
  let taken: DueEvent[];
  let count = 0;
  do {
    taken = await takeDue(db);
    count += taken.length;
    const byTopic = Map.groupBy(taken, ({ topic }) => topic);
    try {
      await Promise.all([...byTopic].map(([topic, events]) => queues[topic].addBatch(itemsOf(topic, events))));
    } catch (error) {
      await giveBack(db, taken);
      throw error;
    }
    for (const [topic, events] of byTopic) onHandedOver(topic, events.length);
  } while (taken.length === roundSize);
  return count;
}

async function takeDue(db: Database): Promise<DueEvent[]> {
  const taken = await runPrepared<DueEvent>(db, takeDueStatement, { roundSize });
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * It need not be on disk: what a crash undoes is handed over once more, and no commit of others waits behind it. The ids
 * are an array, so that the rows are found by them, however many others there are.
 */
const takeDueStatement = prepareStatement(
  'outbox take due',
  `UPDATE outbox.events SET next_attempt_at = now() + interval '15 seconds'
   WHERE id = ANY (ARRAY(
     SELECT id FROM outbox.events WHERE next_attempt_at <= now()
     ORDER BY next_attempt_at, id LIMIT :roundSize FOR UPDATE SKIP LOCKED))
   RETURNING id, topic, CASE WHEN topic = 'job-ready' THEN payload END AS payload,
     (SELECT set_config('synchronous_commit', 'off', true))`,
);

/** Makes events due again that could not be handed over; one that was, and is, takes effect once all the same. */
async function giveBack(db: Database, events: readonly DueEvent[]): Promise<void> {
  await db.raw('UPDATE outbox.events SET next_attempt_at = now() WHERE id = ANY(?)', [events.map(({ id }) => id)]);
}

function itemsOf(topic: Topic, events: readonly DueEvent[]): QueueItem<HandedOver>[] {
  const size = batchSizes[topic];
  const items: QueueItem<HandedOver>[] = [];
  for (let start = 0; start < events.length; start += size) {
    const batch = events.slice(start, start + size);
    items.push({ data: { ids: batch.map(({ id }) => id) }, ...priorityOf(topic, batch) });
  }
  return items;
}

/** A job queue's 10 goes first, which is the message queue's 1. */
function priorityOf(topic: Topic, [event]: readonly DueEvent[]): { priority?: number } {
  return topic === 'job-ready' && event ? { priority: 11 - jobReadySchema.parse(event.payload).priority } : {};
}
