import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { Worker, type Job } from 'bullmq';
import { queueConnection, queuePrefix } from './connect-redis.ts';

/** Which queue wakes whom. */
export interface WorkerOptions {
  redisUrl: string;
  name: string;
  logger: Logger;
  /** Called for each wake-up. The message is shown as active, by every tool for BullMQ, until the promise settles. */
  onWakeUp(): unknown;
  /** Wake-ups that this worker has at a time; 1 by default. More than one needs a queue whose order is `concurrent`. */
  concurrency?: number;
}

/** Ended messages that a concurrent queue keeps for people who look at it. */
const shownMessages = 100;

/** How soon the wake-up of a worker that was killed while it had it is given to another, in milliseconds. */
const lockMs = 10_000;

/**
 * The receiving end of the queue of that name: a wake-up goes to one of its workers. Disposing of it takes no more, and does
 * not wait for Redis, which may be away, nor for the wake-ups that are worked on.
 */
export function createWorker({ redisUrl, name, logger, onWakeUp, concurrency }: WorkerOptions): AsyncDisposable {
  const process = async (message: Job): Promise<unknown> => {
    // From now on the next wake-up is another message.
    if (concurrency !== undefined) await message.removeDeduplicationKey();
    return await onWakeUp();
  };
  const worker = new Worker(name, process, {
    connection: { ...queueConnection(redisUrl, `${name} worker`), maxRetriesPerRequest: null },
    prefix: queuePrefix,
    concurrency: concurrency ?? 1,
    removeOnComplete: { count: concurrency === undefined ? 0 : shownMessages },
    removeOnFail: { count: 0 },
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: 10,
  });
  worker.on('error', (error) => logger.warn({ err: error, queue: name }, 'worker connection'));
  worker.on('failed', (_job, error) => logger.error({ err: error, queue: name }, 'a message could not be processed'));
  return {
    [Symbol.asyncDispose]: async () => {
      await worker.pause(true);
      await worker.close(true);
    },
  };
}
