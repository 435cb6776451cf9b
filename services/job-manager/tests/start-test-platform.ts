import { join } from 'node:path';
import { accessSchema } from '@waybill/access/access-schema';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { parseStructure } from '@waybill/directory/checks/check-document';
import { directorySchema } from '@waybill/directory/directory-schema';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { Filebox } from '@waybill/filebox/filebox';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Origin } from '@waybill/filebox/model/origin';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { createLogger, type Logger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { jobsSchema } from '../src/jobs-schema.ts';
import { testConfiguration } from './test-configuration.ts';

/** The environment of a job manager under test, and access to its state. */
export interface TestPlatform extends AsyncDisposable {
  readonly database: Pick<TestDatabase, 'url' | 'query'>;
  readonly redis: TestRedis;
  readonly db: Database;
  readonly filebox: Filebox;
  readonly logger: Logger;
  readonly vfsId: string;
  /** The environment of a job manager on this platform. */
  readonly env: Readonly<Record<string, string>>;
  /** Delivers a file as a partner would over SFTP. */
  deliver(path: string, content: Buffer): Promise<void>;
  /** What is stored at a path; `undefined` when nothing is. */
  read(path: string): Promise<Buffer | undefined>;
  /** Puts another configuration into force. */
  apply(configuration: unknown): Promise<void>;
}

/**
 * Creates a platform with PostgreSQL, Redis, the test configuration and its folders; no service runs yet.
 * `ownDatabase` is an empty database to use instead of one in the run's PostgreSQL.
 */
export async function startTestPlatform(ownDatabase?: TestPlatform['database']): Promise<TestPlatform> {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await createTestFolder());
  const redis = started.use(await createTestRedis());
  if (ownDatabase) await prepare(ownDatabase.url);
  const database = ownDatabase ?? started.use(await createTestDatabase({ name: 'job_manager', prepare }));
  const db = connectPostgres({ url: database.url, applicationName: 'test' });
  started.defer(() => db.destroy());
  const logger = createLogger({ service: 'test', level: process.env['TEST_LOG_LEVEL'] ?? 'fatal' });
  const blobDir = join(folder.path, 'blobs');
  const filebox = started.use(
    await createFilebox({
      db,
      blobDir,
      managerName: 'manager1',
      temporaryNames: ['*.part'],
      logger,
      metrics: createMetrics('test'),
    }),
  );
  const vfs = await openDirectory({ db }).findVfsByName('acme-files');
  if (!vfs) throw new Error('the test configuration has no VFS');
  const { id: vfsId } = vfs;
  await filebox.ensureFolders(vfsId, ['/inbox', '/outbox', '/loop'].map(parseVirtualPath));

  const resources = started.move();
  return {
    database,
    redis,
    db,
    filebox,
    logger,
    vfsId,
    env: {
      DATABASE_URL: urlAs('job_manager', database.url),
      OPERATOR_DATABASE_URL: urlAs('operator', database.url),
      REDIS_URL: redis.url,
      BLOB_DIR: blobDir,
      ACCESS_SIGNING_KEY_FILE: join(folder.path, 'access.pem'),
      NODE_NAME: 'node1',
      PORT: '0',
      LOG_LEVEL: 'fatal',
    },
    deliver: (path, content) => deliver(filebox, vfsId, path, content),
    read: (path) => read(filebox, vfsId, path),
    apply: (configuration) => apply(db, configuration),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The process in the tests that add and claim jobs themselves. */
export const testSite = { managerName: 'manager1', nodeName: 'test' } as const;

const partner = {
  userName: userNameSchema.parse('acme'),
  actorName: 'acme',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
} as const;

/** Of a file that a job of this contract and action has made, as the last of so many in a row. */
export function originOfJob(contract: string, action: string, chainDepth: number): Origin {
  return {
    userName: partner.userName,
    actorName: 'acme',
    clusterName: 'manager1',
    peerName: 'node1',
    serverName: 'job-manager',
    protocol: undefined,
    job: { jobId: '1', contract, action, chainDepth },
  };
}

async function prepare(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'test template' });
  try {
    const schemas = [directorySchema, accessSchema, outboxSchema, fileboxSchema, jobsSchema, secretsSchema];
    await migrateWithRoles(db, schemas, testRoles);
    await apply(db, testConfiguration);
  } finally {
    await db.destroy();
  }
}

async function apply(db: Database, configuration: unknown): Promise<void> {
  await applyConfiguration({
    db,
    configuration: parseStructure(configuration),
    by: { user: 'test', nodeId: 'test' },
    files: { countFiles: async () => new Map(), setLimits },
  });
}

async function deliver(filebox: Filebox, vfsId: string, path: string, content: Buffer): Promise<void> {
  await using upload = await filebox.beginUpload(vfsId, parseVirtualPath(path), { origin: partner, overwrite: true });
  await upload.write(content, 0);
  await upload.commit();
}

async function read(filebox: Filebox, vfsId: string, path: string): Promise<Buffer | undefined> {
  const entry = await filebox.find(vfsId, parseVirtualPath(path)).catch(() => undefined);
  if (entry?.kind !== 'file') return undefined;
  await using download = await filebox.openDownload(vfsId, parseVirtualPath(path), { origin: partner });
  return await download.read(0, entry.size);
}
