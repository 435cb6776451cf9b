import { randomUUID } from 'node:crypto';
import type { Directory } from '@waybill/directory/directory';
import type { Filebox } from '@waybill/filebox/filebox';
import { startConsumer } from '@waybill/outbox-relay/start-consumer';
import type { Database } from '@waybill/postgres/database';
import { listen } from '@waybill/postgres/listen';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { createFileboxJobFiles, type JobSite } from '../adapters/filebox-job-files.ts';
import { createKnexJobLedger } from '../adapters/knex-job-ledger.ts';
import { readQueueSettings } from '../adapters/read-queue-settings.ts';
import type { JobRegister } from '../domain/job-register.ts';
import type { JobManagerEvents } from '../events.ts';
import { createFileEventProcessor } from './file-event-processor.ts';
import { JobPool } from './job-pool.ts';
import { startReconciler } from './reconciler.ts';
import { createJobRunner } from './run-job.ts';
import { createStepRunner } from './run-step.ts';
import { taskTable } from './tasks/task-table.ts';

/** The parts of a worker. */
export interface WorkerParts {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: JobManagerEvents;
  readonly directory: Directory;
  readonly filebox: Filebox;
  readonly register: JobRegister;
  readonly site: JobSite;
  /** Jobs at a time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly pollMs: number;
}

/** Each may start several jobs: a transaction with many of them would hold up the first. */
const fileEventsAtATime = 25;

/** Starts what turns file events into jobs and runs jobs. Disposing of it hands back what runs. */
export async function startWorker(parts: WorkerParts): Promise<AsyncDisposable> {
  const { db, databaseUrl, redisUrl, logger, directory, register, events } = parts;
  await using started = new AsyncDisposableStack();
  const queues = () => readQueueSettings(directory);
  const pool = started.use(createPool(parts, queues));

  started.use(
    startConsumer({
      db,
      redisUrl,
      logger,
      topic: 'file-event',
      batchSize: () => fileEventsAtATime,
      handle: createFileEventProcessor({ events }),
      afterCommit: () => pool.wake(),
    }),
  );
  started.use(
    startConsumer({
      db,
      redisUrl,
      logger,
      topic: 'job-ready',
      // Without capacity, the job is left to another worker.
      batchSize: () => pool.room(),
      // The event only says that there is something to do: which job goes next is decided by the claim.
      handle: () => Promise.resolve(),
      afterCommit: () => pool.wake(),
    }),
  );
  started.use(startReconciler({ register, pool, queues, events, intervalMs: parts.pollMs }));
  started.use(
    await listen({
      url: databaseUrl,
      channel: 'waybill_job_interrupted',
      logger,
      onNotify: (payload) => pool.interrupt(Number(payload)),
    }),
  );
  // The first step of the stop: callers that wait for capacity are released, so that the consumers can end before
  // the pool.
  started.defer(() => pool.close());
  return started.move();
}

function createPool(parts: WorkerParts, queues: () => ReturnType<typeof readQueueSettings>): JobPool {
  const { db, filebox, site, events, metrics, leaseMs, concurrency: capacity } = parts;
  const ledger = createKnexJobLedger({ db, owner: `${site.nodeName}/${randomUUID()}`, leaseMs });
  const runStep = createStepRunner({
    ledger,
    tasks: taskTable,
    events,
    filesFor: (user) => createFileboxJobFiles({ db, filebox, site }, user),
    onRetry: (delayMs) => pool.wakeAfter(delayMs),
  });
  const pool: JobPool = new JobPool({
    capacity,
    leaseMs,
    claim: async (limit) => ledger.claim(await queues(), limit),
    renew: (holds) => ledger.renew(holds),
    run: createJobRunner({ ledger, runStep, events }),
    onTrouble: (error, what) => events.workerTroubled(error, what),
  });
  metrics.gauge({
    name: 'waybill_jobs_running',
    help: 'Jobs that this process works on',
    collect: (gauge) => gauge.set(pool.running),
  });
  return pool;
}
