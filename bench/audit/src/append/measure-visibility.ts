import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startAuditEventConsumer } from '@waybill/audit/consumer/start-audit-event-consumer';
import { quantile } from '@waybill/bench-filebox/quantile';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { startRelay } from '@waybill/outbox-relay/start-relay';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { type BenchLog, openBenchLog } from '../log/open-bench-log.ts';
import { someEvents } from '../log/some-events.ts';

/** Events of one transaction: as many as operations that are stored together. */
const eventsAtATime = 10;

/**
 * Commits events to the outbox at a rate, and measures when their records can be read: milliseconds from the commit, with the
 * relay, Redis and the consumer of the service.
 */
async function measureVisibility(perSecond: number, seconds: number, print: (line: string) => void): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const log = cleanUp.use(await openBenchLog());
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const program = await ensureRedisServer(print);
  const redis = await startPrivateRedis({ folder, program });
  cleanUp.defer(() => redis.stop());
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const redisUrl = redis.url;
  cleanUp.use(startRelay({ redisUrl, logger, metrics: createMetrics('bench') }));
  cleanUp.use(startAuditEventConsumer({ db: log.db, redisUrl, logger, writer: log.writer, onRecorded: () => {} }));
  const committedAt = new Map<string, number>();
  const seenAt = new Map<string, number>();
  const looking = new AbortController();
  const looked = lookForRecords(log, seenAt, looking.signal);
  const own = process.cpuUsage();
  const postgres = await processorSecondsOfTree(log.pid);
  const startedAt = performance.now();
  await commitEvents(log, { perSecond, seconds }, committedAt);
  const took = (performance.now() - startedAt) / 1_000;
  while ((await log.db('outbox.events').first()) !== undefined) await delay(20);
  await delay(100);
  looking.abort();
  await looked;
  const { user, system } = process.cpuUsage(own);
  const server = (await processorSecondsOfTree(log.pid)) - postgres;
  const delays = [...committedAt].map(([name, at]) => Math.max(0, (seenAt.get(name) ?? Number.POSITIVE_INFINITY) - at));
  print(
    `visible after p50 ${quantile(delays, 0.5).toFixed(0)} ms, p99 ${quantile(delays, 0.99).toFixed(0)} ms, at ` +
      `${((perSecond * seconds) / took).toFixed(0)} events/s (${perSecond} asked for); ` +
      `processor microseconds of each: PostgreSQL ${((server * 1e6) / delays.length).toFixed(0)}, ` +
      `Node with those who commit and look ${((user + system) / delays.length).toFixed(0)}`,
  );
}

async function lookForRecords({ db }: BenchLog, seenAt: Map<string, number>, signal: AbortSignal): Promise<void> {
  for (let last = '0'; !signal.aborted; await delay(5)) {
    const { rows } = await db.raw<{ rows: { sequence: string; name: string }[] }>(
      'SELECT sequence, entity_name || entity_id AS name FROM audit.records WHERE sequence > ? ORDER BY sequence',
      [last],
    );
    for (const { name } of rows) seenAt.set(name, performance.now());
    last = rows.at(-1)?.sequence ?? last;
  }
}

async function commitEvents(
  { db }: BenchLog,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  committedAt: Map<string, number>,
): Promise<void> {
  const startedAt = performance.now();
  const running = new Set<Promise<void>>();
  const commit = async (number: number): Promise<void> => {
    const payloads = someEvents(number, eventsAtATime).map(({ payload }) => ({
      ...payload,
      entityId: `${number}-${payload.entityId}`,
    }));
    await db.transaction(async (trx) =>
      appendToOutbox(
        trx,
        payloads.map((payload) => ({ topic: 'audit-event', payload })),
      ),
    );
    for (const { entityName, entityId } of payloads) committedAt.set(`${entityName}${entityId}`, performance.now());
  };
  for (let number = 0; number < perSecond * seconds; number += eventsAtATime) {
    await delay(Math.max(0, startedAt + (number * 1_000) / perSecond - performance.now()));
    const committed = commit(number).finally(() => running.delete(committed));
    running.add(committed);
    if (running.size >= 6) await Promise.race(running);
  }
  await Promise.all(running);
}

const [perSecond = '5000', seconds = '20'] = process.argv.slice(2);
await measureVisibility(Number(perSecond), Number(seconds), (line) => void process.stdout.write(`${line}\n`));
