import { join } from 'node:path';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { urlAs } from '@waybill/test-kit/test-roles';
import { configSchema } from '../src/config.ts';
import { startService } from '../src/service.ts';
import { configure, prepareSchemas } from './test-configuration.ts';

/** One peer, inside the test. */
export interface RunningPeer extends AsyncDisposable {
  readonly url: string;
  readonly logLines: readonly string[];
  /** A logged-in client, with the demo password by default. */
  logIn(userName: string, password?: string): Promise<HttpClient>;
}

/** What peers need. */
export interface FilesRig extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly db: Database;
  readonly redis: TestRedis;
  readonly folder: string;
  /** The environment of a peer, except its name and its port. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts a peer, which stops with the rig unless it was stopped before; `env` adds to its environment. */
  start(peerName: string, env?: Readonly<Record<string, string>>): Promise<RunningPeer>;
  /** Stores a file where no user of the test may store one. */
  plant(vfsName: string, path: string, content: string): Promise<void>;
  /** The audited events so far, oldest first. */
  audited(): Promise<
    {
      auditCode: string;
      auditOperation: string;
      auditMessage: string;
      dataoneUser: string;
      dfiid: string | null;
      context?: Readonly<Record<string, string | number>>;
    }[]
  >;
}

/** A database with the users of the tests, a Redis and a blob folder. */
export async function createFilesRig(): Promise<FilesRig> {
  const resources = new AsyncDisposableStack();
  const [database, redis, folder] = await Promise.all([
    createTestDatabase({ name: 'http_files', prepare: prepareSchemas }),
    createTestRedis(),
    createTestFolder(),
  ]);
  resources.defer(() => folder.remove());
  resources.defer(() => database.drop());
  resources.defer(() => redis.stop());
  const db = connectPostgres({ url: database.url, applicationName: 'test', poolSize: 4 });
  resources.defer(() => db.destroy());
  await configure(db);
  const databaseUrl = urlAs('http_files', database.url);
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, BLOB_DIR: join(folder.path, 'blobs') };
  const keys = { RECEIPT_SIGNING_KEY_FILE: join(folder.path, 'keys', 'receipts.pem') };
  return {
    database,
    db,
    redis,
    folder: folder.path,
    environment: { ...env, ...keys },
    start: async (peerName, more = {}) =>
      resources.use(await startPeer({ ...env, ...keys, PEER_NAME: peerName, PORT: '0', ...more })),
    plant: (vfsName, path, content) => plant(db, env.BLOB_DIR, { vfsName, path, content }),
    audited: async () => {
      const rows = await database.query(
        "select payload from outbox.events where topic = 'audit-event' order by created_at, id",
      );
      return rows.map(({ payload }) => payload as Awaited<ReturnType<FilesRig['audited']>>[number]);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startPeer(env: Readonly<Record<string, string>>): Promise<RunningPeer> {
  const resources = new AsyncDisposableStack();
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const { port } = await startService({
    config: loadConfig(configSchema, env),
    logger: createLogger({ service: 'http-files', level: 'info', destination }),
    metrics: createMetrics('http-files'),
    health: createHealth(),
    resources,
    env,
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    logLines,
    logIn: async (userName, password = `${userName}-demo`) => {
      const client = createHttpClient(url);
      const { status, text } = await client.post('/2.0/login/basic', { form: { username: userName, password } });
      if (status !== 200) throw new Error(`login of ${userName}: ${status} ${text}`);
      return client;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function plant(db: Database, blobDir: string, file: { vfsName: string; path: string; content: string }) {
  const vfs = await openDirectory({ db }).findVfsByName(file.vfsName);
  if (vfs === undefined) throw new Error(`${file.vfsName} is not there`);
  const [logger, metrics] = [createLogger({ service: 'test', level: 'fatal' }), createMetrics('test')];
  await using filebox = await createFilebox({ db, blobDir, managerName: 'manager1', logger, metrics });
  const origin = {
    userName: userNameSchema.parse('job'),
    actorName: 'acme',
    clusterName: 'c',
    peerName: 'p',
    serverName: 's',
  };
  await using upload = await filebox.beginUpload(vfs.id, parseVirtualPath(file.path), {
    origin: { ...origin, protocol: undefined },
    overwrite: true,
    mediaType: 'text/plain',
  });
  await upload.write(Buffer.from(file.content), 0);
  await upload.commit();
}
