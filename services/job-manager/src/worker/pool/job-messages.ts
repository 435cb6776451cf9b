import { createQueue } from '@waybill/redis/create-queue';
import { createWorker } from '@waybill/redis/create-worker';
import { runWhenWoken } from '@waybill/service-kit/run-when-woken';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Where messages are sent and received. */
export interface MessageOptions {
  readonly redisUrl: string;
  readonly logger: Logger;
}

/** The sending end of the queue of messages about ready jobs. */
export interface JobMessages extends AsyncDisposable {
  /** Tells the workers that a job may be ready. It does not wait for Redis; lost while that is away. */
  announce(): void;
}

/** As it is shown by tools for BullMQ. */
const queueName = 'jobs';

/**
 * Tells workers of ready jobs. A message names no job: PostgreSQL chooses the job when a worker takes the message. However
 * many jobs wait, one message waits.
 */
export function openJobMessages({ redisUrl, logger, metrics }: MessageOptions & { metrics: Metrics }): JobMessages {
  const resources = new AsyncDisposableStack();
  const queue = resources.use(createQueue({ redisUrl, name: queueName, logger, order: 'concurrent' }));
  const sent = metrics.counter({
    name: 'waybill_job_messages_total',
    help: 'Messages sent to tell workers that a job may be ready, before they are deduplicated',
  });
  const loop = resources.use(
    runWhenWoken(async () => {
      try {
        await queue.wake();
        sent.inc();
      } catch (error) {
        logger.warn({ err: error }, 'workers could not be told of a ready job: they will find it by polling');
      }
    }),
  );
  return { announce: loop.wake, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Calls `process` for each message, so many at a time; the message is active in BullMQ until its promise settles. */
export function receiveJobMessages(
  { redisUrl, logger }: MessageOptions,
  { concurrency, process }: { concurrency: number; process: () => Promise<unknown> },
): AsyncDisposable {
  return createWorker({ redisUrl, name: queueName, logger, onWakeUp: process, concurrency });
}
