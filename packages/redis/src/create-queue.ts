import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { Queue } from 'bullmq';
import { connectRedis, queuePrefix } from './connect-redis.ts';

/** The sending end of a queue of wake-ups. */
export interface WakeUpQueue extends AsyncDisposable {
  /** Wakes one worker of the queue. Rejects within seconds if Redis is unavailable. */
  wake(): Promise<void>;
}

/** The queue and the order of its wake-ups. */
export interface QueueOptions {
  redisUrl: string;
  name: string;
  logger: Logger;
  /** One wake-up at a time (default), or each as soon as a worker is free. Must be the same at both ends. */
  order?: 'one-by-one' | 'concurrent';
}

/**
 * `one-by-one`: a wake-up during the processing of the previous one is delivered afterwards, so that changes in between
 * are not missed. `concurrent`: wake-ups are deduplicated until a worker takes the message, see `createWorker`.
 */
const deduplications = {
  'one-by-one': { id: 'wake-up', keepLastIfActive: true },
  concurrent: { id: 'wake-up' },
};

/**
 * The sending end of the queue with this name. However many wake-ups are sent, the queue holds one waiting message,
 * besides those that workers are processing: a wake-up only says that there is work, which is in PostgreSQL.
 */
export function createQueue({ redisUrl, name, logger, order = 'one-by-one' }: QueueOptions): WakeUpQueue {
  const deduplication = deduplications[order];
  // A separate connection: while Redis is unavailable, the queue cannot close a connection that it has opened itself.
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
