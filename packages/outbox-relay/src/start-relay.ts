import type { Topic } from '@waybill/contracts/messages/topics';
import { onCommitted } from '@waybill/outbox/committed-topics';
import { createQueue } from '@waybill/redis/create-queue';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { gatherCalls, type GatheredCall } from './gather-calls.ts';
import { queueNameOf } from './queue-name.ts';

/** The options of a relay. */
export interface RelayOptions {
  redisUrl: string;
  logger: Logger;
  metrics: Metrics;
}

/**
 * How long events of a topic are gathered before their consumer is woken, in milliseconds. A job may wait for a file
 * event; an audit event only delays its record, which must be stored within half a second.
 */
const gatherMs: Readonly<Record<Topic, number>> = { 'audit-event': 75, 'file-event': 10 };

/**
 * Wakes consumers for the events that this process commits: once for all events of a topic that are committed within
 * its gathering time. The events stay in PostgreSQL. Consumers that miss a wake-up (Redis unavailable or flushed, this
 * process killed) poll every second.
 */
export function startRelay({ redisUrl, logger, metrics }: RelayOptions): AsyncDisposable {
  const resources = new AsyncDisposableStack();
  const wakeUps = metrics.counter({
    name: 'waybill_outbox_wake_ups_total',
    help: 'Wake-ups sent to the consumer of a topic',
    labels: ['topic'],
  });
  const open = (topic: Topic): GatheredCall => {
    const queue = resources.use(createQueue({ redisUrl, name: queueNameOf(topic), logger }));
    const wake = async (): Promise<void> => {
      try {
        await queue.wake();
        wakeUps.inc({ topic });
      } catch (error) {
        logger.warn({ err: error, topic }, 'a consumer could not be woken: it will find the events by polling');
      }
    };
    return resources.use(gatherCalls(wake, gatherMs[topic]));
  };
  const calls = {
    'audit-event': open('audit-event'),
    'file-event': open('file-event'),
  } satisfies Record<Topic, GatheredCall>;
  resources.use(onCommitted((topics) => topics.forEach((topic) => calls[topic].call())));
  return resources;
}
