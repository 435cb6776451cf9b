import type { Topic } from '@waybill/contracts/messages/topics';
import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { createWorker } from '@waybill/redis/create-worker';
import { runWhenWoken } from '@waybill/service-kit/run-when-woken';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { postpone } from './postpone.ts';
import { queueNameOf } from './queue-name.ts';
import type { EventHandler, ReceivedEvent } from './received-event.ts';
import { BatchError, takeDue, takeThese } from './take-events.ts';

/** The consumer and its topic. */
export interface ConsumerOptions<T extends Topic> {
  db: Database;
  redisUrl: string;
  topic: T;
  /**
   * The maximum number of events in one transaction; called before each, and may wait for capacity. 0: none for now.
   */
  batchSize(): number | Promise<number>;
  logger: Logger;
  /** The effect of the events, as part of the transaction that also removes them: it happens exactly once. Keep it short. */
  handle: EventHandler<T>;
  /**
   * Takes the next batch, and calls `handle` with it, while the transaction of the one before still runs; at most two at
   * a time. `handle` then keeps the order where it matters. Default: one batch after the other.
   */
  overlaps?: boolean;
  /** Called after the commit; lost if the process is killed. */
  afterCommit?(events: readonly ReceivedEvent<T>[]): void;
}

/** How often a consumer polls without a wake-up: for events whose wake-up was lost, and for repeated attempts. */
const pollIntervalMs = 1_000;

/**
 * Takes the events of a topic out of PostgreSQL, batch after batch until none is due, at each wake-up. Without Redis it
 * does so within a second. An event that cannot be handled does not delay the others of its batch: it is repeated
 * separately, with growing pauses, and set aside after 20 attempts.
 */
export function startConsumer<T extends Topic>(options: ConsumerOptions<T>): AsyncDisposable {
  const { db, redisUrl, topic, logger } = options;
  const closing = new AbortController();
  const drain = async (): Promise<void> => {
    try {
      await takeAll(options, closing.signal);
    } catch (error) {
      logger.warn({ err: error, topic }, 'events could not be taken: trying again');
    }
  };
  const resources = new AsyncDisposableStack();
  const loop = resources.use(runWhenWoken(drain));
  const look = async (): Promise<void> => {
    const due = await runPrepared(db, lookStatement, { topic }).catch(() => []);
    if (due.length > 0) loop.wake();
  };
  let looking: Promise<void> | undefined;
  const poll = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, pollIntervalMs);
  resources.defer(async () => {
    clearInterval(poll);
    await looking;
  });
  resources.use(createWorker({ redisUrl, name: queueNameOf(topic), logger, onWakeUp: loop.wake }));
  resources.defer(() => closing.abort());
  loop.wake();
  return resources;
}

const lookStatement = prepareStatement(
  'outbox look',
  'SELECT FROM outbox.events WHERE topic = :topic AND next_attempt_at <= now() LIMIT 1',
);

/** Takes batch after batch until none is due. */
async function takeAll<T extends Topic>(options: ConsumerOptions<T>, closing: AbortSignal): Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  let batch: Promise<unknown> = before;
  try {
    for (let more = true; more && !closing.aborted;) {
      const limit = await options.batchSize();
      if (limit <= 0) break;
      const taken = Promise.withResolvers<number>();
      const handled = takeBatch(options, limit, taken.resolve);
      batch = handled;
      more = (await Promise.race([taken.promise, handled])) === limit;
      await before;
      if (options.overlaps !== true) await batch;
      before = batch;
    }
    await batch;
  } finally {
    await Promise.allSettled([before, batch]);
  }
}

/** Returns how many events were due, handled or not; `onTaken` is called with the same number before they are handled. */
async function takeBatch<T extends Topic>(
  options: ConsumerOptions<T>,
  limit: number,
  onTaken: (count: number) => void,
): Promise<number> {
  const { afterCommit } = options;
  try {
    const events = await takeDue(options, { limit, onTaken });
    if (events.length > 0) afterCommit?.(events);
    return events.length;
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    await takeHalves(options, error);
    return error.ids.length;
  }
}

/**
 * Takes a batch that failed in halves, and those in halves if they fail: the event that cannot be handled is found in few
 * steps, and a batch that failed with its connection is soon complete.
 */
async function takeHalves<T extends Topic>(options: ConsumerOptions<T>, { ids, cause }: BatchError): Promise<void> {
  const { topic, logger, afterCommit } = options;
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return tryLater(options, only, cause);
  logger.warn(
    { err: cause, topic, count: ids.length },
    'a batch could not be handled: taking its events in two halves',
  );
  const middle = Math.ceil(ids.length / 2);
  for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
    try {
      const events = await takeThese(options, half);
      if (events.length > 0) afterCommit?.(events);
    } catch (error) {
      if (!(error instanceof BatchError)) throw error;
      await takeHalves(options, error);
    }
  }
}

async function tryLater<T extends Topic>(
  { db, topic, logger }: ConsumerOptions<T>,
  id: string,
  error: unknown,
): Promise<void> {
  logger.error({ err: error, topic, eventId: id }, 'an event could not be handled: it will be tried again');
  await postpone(db, id, error);
}
