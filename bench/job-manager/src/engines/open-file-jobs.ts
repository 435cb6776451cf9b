import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Origin } from '@waybill/filebox/model/origin';
import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import { createEvents } from '@waybill/job-manager/events';
import { taskTable } from '@waybill/job-manager/task-table';
import { openJobMessages } from '@waybill/job-manager/worker/pool/job-messages';
import { startWorker } from '@waybill/job-manager/worker/start-worker';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
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

/** Opens both on a PostgreSQL and a Redis of their own, everything within a folder; a worker runs so many jobs at a time. */
export async function openFileJobs(folder: string, concurrency: number): Promise<FileJobs> {
  await using opening = new AsyncDisposableStack();
  const { db, databaseUrl, redisUrl } = await openStores(folder, opening);
  const directory = openDirectory({ db });
  const vfs = await directory.findVfsByName(vfsName);
  if (!vfs) throw new Error('There is no VFS');
  const logger = createLogger({ service: 'bench', level: 'error' });
  const storage = { db, blobDir: join(folder, 'blobs'), managerName: site.managerName };
  const filebox = opening.use(await createFilebox({ ...storage, logger, metrics: createMetrics('bench') }));
  const metrics = createMetrics('bench');
  const common = { redisUrl, logger, metrics };
  const messages = opening.use(openJobMessages(common));
  opening.use(
    await startWorker({
      ...common,
      db,
      databaseUrl,
      events: createEvents(logger, metrics),
      directory,
      filebox,
      messages,
      site,
      tasks: taskTable,
      env: {},
      pace: { concurrency, leaseMs: 6_000, pollMs: 1_000, graceMs: 10_000, patienceMs: 600_000 },
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
      while ((await db('jobs.active').first('job_id')) !== undefined) await delay(10);
      return performance.now() - startedAt;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A PostgreSQL with fsync, configured for the benchmark, and a Redis. */
async function openStores(folder: string, opening: AsyncDisposableStack) {
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres') });
  opening.defer(() => postgres.stop());
  const program = await ensureRedisServer((line) => process.stdout.write(`${line}\n`));
  const redis = await startPrivateRedis({ folder: join(folder, 'redis'), program });
  opening.defer(() => redis.stop());
  const databaseUrl = postgres.url('waybill');
  const db = connectPostgres({ url: databaseUrl, applicationName: 'bench', poolSize: 20 });
  opening.defer(() => db.destroy());
  await configureBench(db);
  return { db, databaseUrl, redisUrl: redis.url };
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
