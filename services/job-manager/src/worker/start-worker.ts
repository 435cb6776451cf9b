import { randomUUID } from 'node:crypto';
import type { Directory } from '@waybill/directory/directory';
import type { Filebox } from '@waybill/filebox/filebox';
import { startConsumer } from '@waybill/outbox-relay/start-consumer';
import type { Database } from '@waybill/postgres/database';
import { listen } from '@waybill/postgres/listen';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { createConnectionReports, reportIntervalMs } from '../adapters/connections/connection-reports.ts';
import type { JobConnections } from '../adapters/connections/open-outbound.ts';
import { createBatchedLedger } from '../adapters/jobs/batched-ledger.ts';
import { createKnexJobLedger } from '../adapters/jobs/knex-job-ledger.ts';
import { readQueueSettings } from '../adapters/queues/read-queue-settings.ts';
import { presenceIntervalMs, removeWorker, reportWorker } from '../adapters/queues/worker-presence.ts';
import { createFileboxJobFiles } from '../adapters/workflows/filebox-job-files.ts';
import { createStepSubmissions } from '../adapters/workflows/step-submissions.ts';
import type { JobSite } from '../config.ts';
import type { JobLedger } from '../domain/jobs/job-ledger.ts';
import type { Compute } from '../domain/workflows/computation.ts';
import type { JobManagerEvents } from '../events.ts';
import type { TaskTable } from '../tasks/task-table.ts';
import { createFileEventProcessor } from '../triggers/file-event-processor.ts';
import type { Duty } from './duties.ts';
import { chooseLane, countComputations, reportLanes } from './lanes/choose-lane.ts';
import { createProcessLane } from './lanes/process-lane.ts';
import { openThreadLane } from './lanes/thread-lane.ts';
import { leavingUnknownJobs, takingLeftJobs } from './leave-unknown-jobs.ts';
import { receiveJobMessages, type JobMessages } from './pool/job-messages.ts';
import { JobPool } from './pool/job-pool.ts';
import { replayingWebhooks } from './replay-webhooks.ts';
import { createJobRunner } from './run/run-job.ts';
import { createStepRunner } from './run/run-step.ts';
import { wakingWaitingJobs } from './wake-waiting-jobs.ts';

/** The parts of a worker. */
export interface WorkerParts {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly redis: RedisConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: JobManagerEvents;
  readonly directory: Directory;
  readonly filebox: Filebox;
  readonly connections: Pick<JobConnections, 'connectionsFor' | 'connectionsOf' | 'health' | 'hear'>;
  readonly messages: JobMessages;
  readonly site: JobSite;
  /** Jobs with other tasks are left to other workers. */
  readonly tasks: TaskTable;
  /** Of this process, for the processes that it starts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pace: WorkerPace;
}

/** How much a worker does, and how soon. */
export interface WorkerPace {
  /** Jobs at a time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly graceMs: number;
  readonly patienceMs: number;
}

/** What runs jobs, and what it has to do again and again. */
export interface Worker extends AsyncDisposable {
  readonly duties: readonly Duty[];
}

/** Each may start several jobs: a transaction with many of them would hold up the first. */
const fileEventsAtATime = 25;

/** A message runs one job after the other, as long as there are some: its result is not to grow without bound. */
const jobsOfMessage = 100;

/** Starts what turns file events into jobs and runs jobs. Disposing of it hands back what runs. */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const { db, databaseUrl, redisUrl, logger, events, messages, pace } = parts;
  await using started = new AsyncDisposableStack();
  const ledgerParts = { db, site: parts.site, leaseMs: pace.leaseMs, patienceMs: pace.patienceMs };
  const owner = `${parts.site.nodeName}/${randomUUID()}`;
  const ledger = createBatchedLedger(db, createKnexJobLedger({ ...ledgerParts, owner }));
  const { compute } = started.use(openThreadLane());
  const pool = started.use(createPool(parts, ledger, { owner, compute }));

  started.use(
    startConsumer({
      db,
      redisUrl,
      logger,
      topic: 'file-event',
      batchSize: () => fileEventsAtATime,
      handle: createFileEventProcessor({ events, site: parts.site, onReady: messages.announce }),
    }),
  );
  const received = { count: 0 };
  const process = async (): Promise<unknown> => {
    received.count += 1;
    const taken = await pool.take(jobsOfMessage);
    return { jobIds: taken.map(({ job }) => job.id) };
  };
  const present = { name: owner, capacity: pace.concurrency };
  await reportWorker(db, present);
  // If it fails, the worker is forgotten when it has not been seen for some time.
  started.defer(() => removeWorker(db, owner).catch(() => {}));
  started.use(receiveJobMessages({ redisUrl, logger }, { concurrency: pace.concurrency, process }));
  started.use(
    await listen({
      url: databaseUrl,
      channel: 'waybill_job_interrupted',
      logger,
      // Without a number, notifications may have been missed: the leases tell which jobs are still held.
      onNotify: (payload) => (payload === '' ? pool.renew() : pool.interrupt(Number(payload))),
    }),
  );
  // The first step of the stop.
  started.defer(() => pool.close());

  const resources = started.move();
  return {
    duties: [
      findUnannounced({ ledger, pool, messages, received }, pace.pollMs),
      { name: 'report worker', intervalMs: presenceIntervalMs, work: () => reportWorker(db, present) },
      reportingConnections(parts, owner, resources),
      wakingWaitingJobs({ db, filebox: parts.filebox, onReady: messages.announce }),
      replayingWebhooks(parts),
      takingLeftJobs(parts, { intervalMs: 5 * pace.pollMs, onReady: messages.announce }),
    ],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Reports the client connections of this worker; its last report is removed when it stops. */
function reportingConnections(
  { redis, connections }: Pick<WorkerParts, 'redis' | 'connections'>,
  worker: string,
  resources: AsyncDisposableStack,
): Duty {
  const reports = createConnectionReports(redis);
  // If it fails, the report expires.
  resources.defer(() => reports.remove(worker).catch(() => {}));
  const work = (): Promise<void> => reports.publish(worker, connections.health());
  return { name: 'report client connections', intervalMs: reportIntervalMs, work };
}

/** Finds the jobs whose message was lost. As long as messages arrive, or bring jobs, another message is enough. */
function findUnannounced(
  parts: { ledger: JobLedger; pool: JobPool; messages: JobMessages; received: { readonly count: number } },
  intervalMs: number,
): Duty {
  const { ledger, pool, messages, received } = parts;
  let receivedBefore = -1;
  const work = async (): Promise<void> => {
    if (!(await ledger.isClaimable())) return;
    messages.announce();
    const receivedNow = received.count + pool.taken;
    if (receivedNow === receivedBefore) await pool.fill();
    receivedBefore = receivedNow;
  };
  return { name: 'find unannounced jobs', intervalMs, work };
}

function createPool(
  parts: WorkerParts,
  ledger: JobLedger,
  { owner, compute }: { owner: string; compute: Compute },
): JobPool {
  const { db, filebox, site, events, metrics, directory, messages, pace } = parts;
  const { leaseMs, graceMs, concurrency: capacity } = pace;
  const count = reportLanes(metrics);
  const runStep = createStepRunner({
    ledger,
    tasks: parts.tasks,
    compute: countComputations(compute, count),
    events,
    filesFor: (run, attempt) => createFileboxJobFiles({ db, filebox, directory, site }, { ...run, attempt }),
    connectionsFor: parts.connections.connectionsFor,
    submissionsFor: (run, step) =>
      createStepSubmissions({ db, site, events, onReady: messages.announce }, { ...run, step }),
    onRetry: (delayMs) => setTimeout(messages.announce, delayMs).unref(),
    graceMs,
  });
  const runHere = createJobRunner({ ledger, runStep, events });
  const runAlone = createProcessLane({ ...parts, ledger, owner, graceMs, runHere });
  const claimTime = metrics.histogram({
    name: 'waybill_job_claim_seconds',
    help: 'Time that a claim of jobs takes, whether it finds some or not',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  });
  const pool = new JobPool({
    capacity,
    leaseMs,
    claim: async (limit) => {
      const startedAt = performance.now();
      const claimed = await ledger.claim(await readQueueSettings(directory), limit);
      claimTime.observe((performance.now() - startedAt) / 1_000);
      return claimed;
    },
    renew: (holds) => ledger.renew(holds),
    run: leavingUnknownJobs(parts, chooseLane({ inline: runHere, process: runAlone }, count)),
    onMore: messages.announce,
    onTrouble: (error, what) => events.workerTroubled(error, what),
  });
  metrics.gauge({
    name: 'waybill_jobs_running',
    help: 'Jobs that this process works on',
    collect: (gauge) => gauge.set(pool.running),
  });
  return pool;
}
