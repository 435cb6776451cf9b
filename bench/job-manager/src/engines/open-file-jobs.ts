import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Origin } from '@waybill/filebox/model/origin';
import { openOutbound } from '@waybill/job-manager/adapters/connections/open-outbound';
import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import { createEvents } from '@waybill/job-manager/events';
import { taskTable } from '@waybill/job-manager/task-table';
import { openJobMessages } from '@waybill/job-manager/worker/pool/job-messages';
import { startWorker } from '@waybill/job-manager/worker/start-worker';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { configureBench, queue, userName, vfsName } from './configure-bench.ts';

/** A filebox, and jobs that write into it. */
export interface FileJobs extends AsyncDisposable {
  readonly filebox: Filebox;
  readonly vfsId: string;
  readonly origin: Origin;
  /** Adds a job that writes a text into a file. */
  add(path: string, text: string): Promise<void>;
  /**
   * Wakes the worker. Resolves to the milliseconds until the last job that was added has ended.
   */
  run(): Promise<number>;
  /** The processor seconds spent so far: by this process, by PostgreSQL and by Redis. */
  processorSeconds(): Promise<readonly number[]>;
  /** Forgets the statements that PostgreSQL has run so far. */
  forgetStatements(): Promise<void>;
  /** The statements since then, the most frequent first. Only if they are counted. */
  statements(): Promise<readonly StatementCount[]>;
}

/** A statement as `pg_stat_statements` counts it. */
export interface StatementCount {
  readonly calls: number;
  /** Milliseconds in its planning and execution, without parsing and the protocol. */
  readonly ms: number;
  readonly query: string;
}

/** What the benchmark measures, and where. */
export interface FileJobsOptions {
  readonly folder: string;
  /** Jobs that the worker runs at a time. */
  readonly concurrency: number;
  /** Counts statements by `pg_stat_statements`, which costs something. */
  readonly countsStatements: boolean;
}

const site = { managerName: 'manager1', nodeName: 'bench' };
const origin: Origin = {
  userName,
  actorName: 'bench',
  clusterName: 'manager1',
  peerName: 'bench',
  serverName: 'job-manager',
  protocol: undefined,
};

/** No step has a connection. */
const outbound = {
  config: {
    KEY_RELOAD_SECONDS: 60,
    OUTBOUND_ALLOWED_HOSTS: [],
    OUTBOUND_ALLOWED_NETWORKS: [],
    WEBHOOK_BODY_DAYS: 0,
    WEBHOOK_BODY_BYTES: 1,
  },
  managerName: site.managerName,
  env: {},
};

const pace = { leaseMs: 6_000, pollMs: 1_000, graceMs: 10_000, patienceMs: 600_000 };

/** Opens both on a PostgreSQL and a Redis of their own, everything within a folder. */
export async function openFileJobs({ folder, concurrency, countsStatements }: FileJobsOptions): Promise<FileJobs> {
  await using opening = new AsyncDisposableStack();
  const { db, databaseUrl, redisUrl, pids } = await openStores(folder, opening, countsStatements);
  const directory = openDirectory({ db });
  const vfs = await directory.findVfsByName(vfsName);
  if (!vfs) throw new Error('There is no VFS');
  const logger = createLogger({ service: 'bench', level: 'error' });
  const storage = { db, blobDir: join(folder, 'blobs'), managerName: site.managerName };
  const filebox = opening.use(await createFilebox({ ...storage, logger, metrics: createMetrics('bench') }));
  const metrics = createMetrics('bench');
  const redis = opening.adopt(connectRedis({ url: redisUrl, name: 'bench', logger }), (one) => one.disconnect());
  const common = { redis, redisUrl, logger, metrics };
  const messages = opening.use(openJobMessages(common));
  opening.use(
    await startWorker({
      ...common,
      db,
      databaseUrl,
      events: createEvents(logger, metrics),
      directory,
      filebox,
      connections: opening.use(openOutbound({ ...outbound, db, directory, metrics })),
      messages,
      site,
      tasks: taskTable,
      env: {},
      pace: { ...pace, concurrency },
    }),
  );
  const register = createKnexJobRegister(db, { site });
  const resources = opening.move();
  return {
    filebox,
    vfsId: vfs.id,
    origin,
    add: async (path, text) => {
      await register.add(fileJob(vfs.id, path, text));
    },
    run: async () => {
      const startedAt = performance.now();
      messages.announce();
      while ((await db('jobs.active').first('job_id')) !== undefined) await delay(25);
      return performance.now() - startedAt;
    },
    processorSeconds: () => processorSecondsOf(pids),
    ...statementCounts(db),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Of this process, and of each of these with its children. */
async function processorSecondsOf(pids: readonly number[]): Promise<readonly number[]> {
  const { user, system } = process.cpuUsage();
  return [(user + system) / 1e6, ...(await Promise.all(pids.map(processorSecondsOfTree)))];
}

/** A PostgreSQL with fsync, configured for the benchmark, and a Redis. */
async function openStores(folder: string, opening: AsyncDisposableStack, countsStatements: boolean) {
  const settings = countsStatements
    ? { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' }
    : {};
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres'), settings });
  opening.defer(() => postgres.stop());
  const program = await ensureRedisServer((line) => process.stdout.write(`${line}\n`));
  const redis = await startPrivateRedis({ folder: join(folder, 'redis'), program });
  opening.defer(() => redis.stop());
  const databaseUrl = postgres.url('waybill');
  const db = connectPostgres({ url: databaseUrl, applicationName: 'bench', poolSize: 20 });
  opening.defer(() => db.destroy());
  await configureBench(db);
  if (countsStatements) await db.raw('CREATE EXTENSION pg_stat_statements');
  return { db, databaseUrl, redisUrl: redis.url, pids: [postgres.pid, redis.pid] };
}

function statementCounts(db: Database): Pick<FileJobs, 'forgetStatements' | 'statements'> {
  return {
    forgetStatements: async () => {
      await db.raw('SELECT pg_stat_statements_reset()');
    },
    statements: async () => {
      const { rows } = await db.raw<{ rows: StatementCount[] }>(
        `SELECT calls::int AS calls, total_plan_time + total_exec_time AS ms, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS query
         FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' ORDER BY calls DESC, query`,
      );
      return rows;
    },
  };
}

function fileJob(vfsId: string, path: string, text: string) {
  const retry = { attempts: 1, delaySeconds: 0 };
  const step = { name: 'write', uses: 'write-file', with: { path, text }, retry, timeoutSeconds: 60 } as const;
  return {
    submittedBy: userName,
    queue: queue.name,
    actor: 'bench',
    contract: 'bench',
    contractType: 'Mediation',
    contractAction: 'write',
    contractActionTrigger: 'OnDemand',
    workflow: {
      templateId: 1,
      templateName: 'write',
      templateRevision: 1,
      templateDescription: '',
      steps: [step],
    },
    variables: {},
    vfsId,
    dfic: { dfiid: randomUUID(), lcid: 'l', userAttrs: {} },
    chainDepth: 1,
  };
}
