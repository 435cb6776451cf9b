import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { Queue } from 'bullmq';
import { connectRedis, queuePrefix } from './connect-redis.ts';

/** The sending end of a queue of wake-ups. */
export interface WakeUpQueue extends AsyncDisposable {
  /** Wakes one worker of the queue. Rejects within seconds when Redis is away. */
  wake(): Promise<void>;
}

/** The queue and how its wake-ups are worked on. */
export interface QueueOptions {
  redisUrl: string;
  name: string;
  logger: Logger;
  /** One wake-up at a time (default), or each as soon as a worker is free. The same for both ends. */
  order?: 'one-by-one' | 'concurrent';
}

/**
 * One by one, a wake-up that comes while a worker has the last one follows it: what was committed in between is not
 * overlooked. Concurrent ones are deduplicated until a worker takes the message: see `createWorker`.
 */
const deduplications = {
  'one-by-one': { id: 'wake-up', keepLastIfActive: true },
  concurrent: { id: 'wake-up' },
};

/**
 * The sending end of the queue of that name. However often it wakes, the queue holds one message that waits, beside those
 * that workers have: a wake-up says that there is something to do, and PostgreSQL says what.
 */
export function createQueue({ redisUrl, name, logger, order = 'one-by-one' }: QueueOptions): WakeUpQueue {
  const deduplication = deduplications[order];
  // A connection of our own: while Redis is away the queue could not be rid of one that it had made itself.
  const connection = connectRedis({ url: redisUrl, name: `waybill ${name}`, logger });
  const queue = new Queue(name, {
    connection,
    prefix: queuePrefix,
    // Of concurrent messages, the worker keeps some.
    defaultJobOptions: { ...(order === 'one-by-one' && { removeOnComplete: true }), removeOnFail: true, attempts: 1 },
    streams: { events: { maxLen: 100 } },
  });
  queue.on('error', (error) => logger.warn({ err: error, queue: name }, 'queue connection'));
  return {
    wake: async () => {
      await queue.add(name, {}, { deduplication });
    },
    [Symbol.asyncDispose]: async () => {
      await queue.close();
      connection.disconnect();
    },
  };
}
