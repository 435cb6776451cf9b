import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessSchema } from '@waybill/access/access-schema';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { directorySchema } from '@waybill/directory/directory-schema';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { Filebox } from '@waybill/filebox/filebox';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { freePort } from '@waybill/private-datastores/free-port';
import { type OwnedProcess, startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { applyBenchJobs, benchFolders, benchVfs } from './bench-jobs-configuration.ts';
import { openStores, type Stores } from './open-stores.ts';

/** The stores of a job manager, and what starts its processes; no process runs yet. */
export interface BenchJobs extends AsyncDisposable {
  /** Everything is in it; it is removed at the end. */
  readonly folder: string;
  readonly stores: Stores;
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly filebox: Filebox;
  readonly vfsId: string;
  /** Starts a job manager as a process of its own. `env` adds to its environment. Its log is in the folder. */
  start(name: string, env: Readonly<Record<string, string>>): Promise<OwnedProcess>;
}

const program = fileURLToPath(new URL('../../../../services/job-manager/src/main.ts', import.meta.url));

/** Starts PostgreSQL (with fsync) and Redis, and applies the configuration of the measurements. */
export async function startBenchJobs(): Promise<BenchJobs> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const stores = starting.use(await openStores(folder));
  const db = connectPostgres({ url: stores.postgres.url, applicationName: 'bench', statementTimeoutMs: 600_000 });
  starting.defer(() => db.destroy());
  for (const schema of [directorySchema, accessSchema, outboxSchema, fileboxSchema, jobsSchema, secretsSchema]) {
    await migrate(db, schema);
  }
  await applyBenchJobs(db);
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const redis = connectRedis({ url: stores.redis.url, name: 'bench', logger });
  starting.defer(() => redis.disconnect());
  const blobDir = join(folder, 'blobs');
  const filebox = starting.use(
    await createFilebox({ db, blobDir, managerName: 'manager1', logger, metrics: createMetrics('bench') }),
  );
  const vfs = await openDirectory({ db }).findVfsByName(benchVfs);
  if (!vfs) throw new Error('the configuration of the measurement has no VFS');
  await filebox.ensureFolders(vfs.id, benchFolders.map(parseVirtualPath));

  const running = new Set<OwnedProcess>();
  starting.defer(async () => void (await Promise.all([...running].map((started) => started.kill()))));
  const start: BenchJobs['start'] = async (name, settings) => {
    const started = await startOwnedProcess({
      command: [process.execPath, program],
      env: { ...(await environmentOf(stores, folder)), NODE_NAME: name, ...settings },
      logFile: join(folder, `${name}.log`),
      pidFile: join(folder, `${name}.pid`),
      stopSignal: 'SIGTERM',
      patienceMs: 60_000,
    });
    running.add(started);
    void started.exited.then(() => running.delete(started));
    return started;
  };
  const resources = starting.move();
  const parts = { folder, stores, db, redis, filebox, vfsId: vfs.id, start };
  return { ...parts, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function environmentOf(stores: Stores, folder: string): Promise<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: stores.postgres.url,
    DATABASE_PRIVILEGED_USER: 'allow',
    REDIS_URL: stores.redis.url,
    BLOB_DIR: join(folder, 'blobs'),
    ACCESS_SIGNING_KEY_FILE: join(folder, 'access.pem'),
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  };
}
