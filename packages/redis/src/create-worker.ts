import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { Worker } from 'bullmq';
import { queueConnection, queuePrefix } from './queue-settings.ts';

/** Which queue wakes whom. */
export interface WorkerOptions {
  redisUrl: string;
  name: string;
  logger: Logger;
  /** Called for each wake-up; it begins what is to be done and does not wait for it. */
  onWakeUp(): void;
}

/** How soon the wake-up of a worker that was killed while it had it is given to another, in milliseconds. */
const lockMs = 10_000;

/**
 * The receiving end of the queue of that name: a wake-up goes to one of its workers. Disposing of it takes no more, and does
 * not wait for Redis, which may be away.
 */
export function createWorker({ redisUrl, name, logger, onWakeUp }: WorkerOptions): AsyncDisposable {
  const worker = new Worker(name, () => Promise.resolve(onWakeUp()), {
    connection: { ...queueConnection(redisUrl, `${name} worker`), maxRetriesPerRequest: null },
    prefix: queuePrefix,
    removeOnComplete: { count: 0 },
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
