import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { ConnectionHealth } from '@waybill/outbound/connections/connection-health';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import { forwardMetrics } from '@waybill/service-kit/telemetry/forwarded-metrics';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import type { z } from 'zod';
import { openOutbound } from '../../adapters/connections/open-outbound.ts';
import { createKnexJobLedger } from '../../adapters/jobs/knex-job-ledger.ts';
import { findJob } from '../../adapters/jobs/knex-job-register.ts';
import { createFileboxJobFiles } from '../../adapters/workflows/filebox-job-files.ts';
import { createStepSubmissions } from '../../adapters/workflows/step-submissions.ts';
import { configSchema, siteOf } from '../../config.ts';
import { Interruption } from '../../domain/jobs/interruption.ts';
import { createEvents } from '../../events.ts';
import { taskTable } from '../../tasks/task-table.ts';
import { createJobRunner } from '../run/run-job.ts';
import { createStepRunner } from '../run/run-step.ts';
import {
  processInterruptSchema,
  processOrderSchema,
  processPoolSize,
  type processReportSchema,
} from './process-messages.ts';
import { openThreadLane } from './thread-lane.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one job that is suspected of killing the process that runs it. It ends with its job, when the worker interrupts it or
 * kills it, and with the worker, which keeps the lease. `order` is the JSON of `processOrderSchema`.
 * @throws errors of the start, for which the worker takes this process for dead
 */
export async function runJobProcess(order: string, env: Environment): Promise<void> {
  const { jobId, fence, begunBefore, owner } = processOrderSchema.parse(JSON.parse(order));
  const signal = followWorker();
  const config = loadConfig(configSchema, env);
  const logger = createLogger({ service: 'job-manager', level: config.LOG_LEVEL });
  const worker = openReports();
  const metrics = forwardMetrics(createMetrics('job-manager'), (counted) => worker.report({ counted }));
  const events = createEvents(logger, metrics);
  await using resources = new AsyncDisposableStack();
  const db = connectPostgres({
    url: databaseUrlOf(config),
    poolSize: processPoolSize,
    applicationName: 'waybill job-manager job',
  });
  resources.defer(() => db.destroy());
  const directory = openDirectory({ db });
  const storage = { db, ...storageOf(config), storageClasses: directory };
  const filebox = resources.use(await createFilebox({ ...storage, managerName: config.MANAGER_NAME, logger, metrics }));
  const job = await findJob(db, jobId);
  if (!job) throw new Error(`There is no job ${jobId}`);

  const connections = resources.use(
    openOutbound({ config, commands: config, managerName: config.MANAGER_NAME, env, db, directory, metrics }),
  );
  const reporting = reportConnections(() => connections.health(), worker);
  resources.use(reporting);
  const site = siteOf(config);
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000;
  const ledger = createKnexJobLedger({ db, owner, leaseMs, patienceMs: leaseMs, site });
  const runStep = createStepRunner({
    ledger,
    tasks: taskTable,
    compute: resources.use(openThreadLane()).compute,
    events,
    filesFor: (run, attempt) => createFileboxJobFiles({ db, filebox, directory, site }, { ...run, attempt }),
    connectionsFor: connections.connectionsFor,
    submissionsFor: (run, step) => createStepSubmissions({ db, site, events }, { ...run, step }),
    onRetry: () => {},
    // The worker ends this process when the step that it has begun last takes too long.
    onAttempt: ({ step }) => worker.report({ timeoutSeconds: step.timeoutSeconds }),
    // If the process dies, it is known which item was to blame.
    itemsAtOnce: 1,
    graceMs: config.JOB_GRACE_SECONDS * 1_000,
  });
  const run = createJobRunner({ ledger, runStep, events });
  await run({ job, hold: { jobId, fence }, begunBefore, suspect: true, lossesAlone: 0 }, signal);
  reporting.report();
  await worker.received();
}

type Report = z.input<typeof processReportSchema>;

/** How often the worker hears of the client connections of this process, if anything has changed. */
const connectionsIntervalMs = 1_000;

/** Tells the worker how the client connections of this process do. Disposing of it ends that. */
function reportConnections(health: () => readonly ConnectionHealth[], worker: Reports) {
  let last = '[]';
  const report = (): void => {
    const connections = [...health()];
    const text = JSON.stringify(connections);
    if (text !== last) worker.report({ connections });
    last = text;
  };
  const timer = setInterval(report, connectionsIntervalMs).unref();
  return { report, [Symbol.dispose]: () => clearInterval(timer) };
}

/** The way to the worker. It keeps the order of what is reported. */
interface Reports {
  report(report: Report): void;
  /** Waits until everything has left this process, which may end then. */
  received(): Promise<void>;
}

function openReports(): Reports {
  let last = Promise.resolve();
  return {
    report: (report) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      if (process.send) process.send(report, undefined, undefined, () => resolve());
      else resolve();
    },
    received: () => last,
  };
}

/** Aborted when the worker says so. The process ends at once when the worker is gone. */
function followWorker(): AbortSignal {
  const interrupted = new AbortController();
  process.on('message', (message) => {
    const { data } = processInterruptSchema.safeParse(message);
    if (data) interrupted.abort(new Interruption(data.interrupt));
  });
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A signal to the group of processes is for the worker, which interrupts this one.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  return interrupted.signal;
}
