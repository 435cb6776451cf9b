import { setTimeout as sleep } from 'node:timers/promises';
import type { Topic } from '@waybill/contracts/messages/topics';
import { createQueue, type SendingQueue } from '@waybill/job-queue/create-queue';
import type { Database } from '@waybill/postgres/database';
import { listen } from '@waybill/postgres/listen';
import type { Logger } from '@waybill/service-kit/logger';
import type { Metrics } from '@waybill/service-kit/metrics';
import { runWhenWoken } from '@waybill/service-kit/run-when-woken';
import { dispatchDue } from './dispatch-due.ts';
import { queueNameOf, type HandedOver } from './handed-over.ts';

/** What a relay needs. */
export interface RelayOptions {
  db: Database;
  databaseUrl: string;
  redisUrl: string;
  logger: Logger;
  metrics: Metrics;
}

/** How often a relay looks at the least: for events whose hand-over was lost, and for those to be tried again. */
const pollIntervalMs = 1_000;

/** Rest after a round: what is committed meanwhile goes in one batch, so that many small files are not as many rounds. */
const restMs = 20;

/**
 * Hands committed events to their queues, in batches: at once after a time with nothing to do, within 20 ms otherwise. Any
 * number of relays may run. What its consumer has not taken within 15 s (Redis flushed, consumer killed) is handed over
 * again. After a round that found something it looks again by itself, at first soon and then ever later: those who commit
 * in such times wake nobody.
 */
export async function startRelay(options: RelayOptions): Promise<AsyncDisposable> {
  const { db, databaseUrl, redisUrl, logger, metrics } = options;
  await using started = new AsyncDisposableStack();
  const queues = openQueues(redisUrl, logger, started);
  const handedOver = metrics.counter({
    name: 'waybill_outbox_handed_over_total',
    help: 'Events handed to their queue',
    labels: ['topic'],
  });
  metrics.gauge({
    name: 'waybill_outbox_oldest_event_seconds',
    help: 'Age of the oldest event that has not taken effect; 0 when there is none',
    collect: async (gauge) => gauge.set(await oldestAgeSeconds(db)),
  });
  let timer: NodeJS.Timeout | undefined;
  let idleMs = restMs;
  const round = async (): Promise<void> => {
    let found = 0;
    try {
      found = await dispatchDue({ db, queues, onHandedOver: (topic, count) => handedOver.inc({ topic }, count) });
    } catch (error) {
      logger.warn({ err: error }, 'events could not be handed over: trying again');
    }
    idleMs = found > 0 ? restMs : Math.min(idleMs * 2, pollIntervalMs);
    clearTimeout(timer);
    timer = setTimeout(loop.wake, idleMs).unref();
    await sleep(restMs);
  };
  const loop = started.use(runWhenWoken(round));
  started.defer(() => clearTimeout(timer));
  started.use(await listen({ url: databaseUrl, channel: 'waybill_outbox', logger, onNotify: loop.wake }));
  return started.move();
}

async function oldestAgeSeconds(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { age: number }[] }>(
    'SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM outbox.events',
  );
  return rows[0]?.age ?? 0;
}

function openQueues(redisUrl: string, logger: Logger, owner: AsyncDisposableStack) {
  const open = (topic: Topic): SendingQueue<HandedOver> =>
    owner.use(createQueue<HandedOver>({ redisUrl, name: queueNameOf(topic), logger }));
  return {
    'audit-event': open('audit-event'),
    'file-event': open('file-event'),
    'job-ready': open('job-ready'),
  } satisfies Record<Topic, SendingQueue<HandedOver>>;
}
