import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { z } from 'zod';
import { startScheduler } from '../src/triggers/start-scheduler.ts';

/**
 * A scheduler alone, as a process that a test can kill. Its clock is that of the machine, made faster: a minute of it
 * passes in `MS_PER_MINUTE`.
 */
const { DATABASE_URL, EPOCH_MS, MS_PER_MINUTE } = z
  .object({ DATABASE_URL: z.string(), EPOCH_MS: z.coerce.number(), MS_PER_MINUTE: z.coerce.number() })
  .parse(process.env);

const db = connectPostgres({ url: DATABASE_URL, applicationName: 'test scheduler' });
const scheduler = startScheduler({
  db,
  register: { site: { managerName: 'manager1', nodeName: 'node1' } },
  logger: createLogger({ service: 'test', level: 'error' }),
  metrics: createMetrics('test'),
  events: { jobSubmitted: () => {} },
  clock: () => new Date(EPOCH_MS + ((Date.now() - EPOCH_MS) * 60_000) / MS_PER_MINUTE),
  pauseMs: { least: 5, most: 50 },
});

// The scheduler's own pauses keep no process alive.
const staying = setInterval(() => {}, 60_000);
process.once('SIGTERM', () => {
  clearInterval(staying);
  void scheduler[Symbol.asyncDispose]().then(() => db.destroy());
});
