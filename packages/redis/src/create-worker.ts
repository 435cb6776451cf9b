import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { Worker, type Job } from 'bullmq';
import { queueConnection, queuePrefix } from './connect-redis.ts';

/** The queue, and the callback. */
export interface WorkerOptions {
  redisUrl: string;
  name: string;
  logger: Logger;
  /** Called for each wake-up. Tools for BullMQ show the message as active until the promise settles. */
  onWakeUp(): unknown;
  /**
   * Wake-ups that this worker processes at a time; 1 by default. More than one requires a queue with the order
   * `concurrent`.
   */
  concurrency?: number;
}

/** The number of ended messages that a concurrent queue keeps for inspection. */
const shownMessages = 100;

/** The time in milliseconds after which the wake-up of a killed worker is given to another one. */
const lockMs = 10_000;

/**
 * The receiving end of the queue with this name: a wake-up goes to one of its workers. Disposing stops it, and waits
 * neither for Redis, which may be unavailable, nor for wake-ups in progress.
 */
export function createWorker({ redisUrl, name, logger, onWakeUp, concurrency }: WorkerOptions): AsyncDisposable {
  const process = async (message: Job): Promise<unknown> => {
    // From now on the next wake-up creates another message.
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
