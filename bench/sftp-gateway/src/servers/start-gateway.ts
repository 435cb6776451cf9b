import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessSchema } from '@waybill/access/access-schema';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { directorySchema } from '@waybill/directory/directory-schema';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { sftpGatewaySchema } from '@waybill/sftp-gateway/sftp-gateway-schema';
import { memoryOfTree } from '../processes/processes-of-tree.ts';
import { processorSecondsOfTree } from '../processes/read-processor-seconds.ts';
import { type BenchServer, endOfFile } from './bench-server.ts';
import type { LoginKey } from './create-login-key.ts';
import { untilListening } from './until-listening.ts';

const [userName, password] = ['bench', 'bench-demo'];
const program = fileURLToPath(new URL('../../../../services/sftp-gateway/src/main.ts', import.meta.url));

/** The gateway, with its index: the benchmark fills folders through it. */
export interface BenchGateway extends BenchServer {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly password: string;
  /** Processor time of its PostgreSQL until now, in seconds. */
  databaseProcessorSeconds(): Promise<number>;
}

/**
 * The gateway as in production, as a separate process, on a private PostgreSQL and Redis with full durability.
 * @param env further settings of the gateway
 */
export async function startGateway(
  folder: string,
  key: LoginKey,
  env: Readonly<Record<string, string | undefined>>,
): Promise<BenchGateway> {
  await using starting = new AsyncDisposableStack();
  await mkdir(folder, { recursive: true });
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres') });
  starting.defer(() => postgres.stop());
  // As in `npm start`.
  const databaseUrl = postgres.socketUrl('waybill');
  const redis = await startPrivateRedis({
    folder: join(folder, 'redis'),
    program: await ensureRedisServer(console.log),
  });
  starting.defer(() => redis.stop());
  const db = connectPostgres({
    url: databaseUrl,
    applicationName: 'bench',
    poolSize: 2,
    statementTimeoutMs: 600_000,
  });
  starting.defer(() => db.destroy());
  const schemas = [outboxSchema, accessSchema, directorySchema, fileboxSchema, secretsSchema, sftpGatewaySchema];
  for (const schema of schemas) await migrate(db, schema);
  await configure(db, key);

  const gateway = await startProcess(folder, {
    ...env,
    DATABASE_URL: databaseUrl,
    DATABASE_PRIVILEGED_USER: 'allow',
    REDIS_URL: redis.url,
  });
  starting.defer(() => gateway.stop());
  const resources = starting.move();
  return {
    name: 'Waybill',
    port: gateway.port,
    user: userName,
    folder: '/',
    db,
    databaseUrl,
    password,
    databaseProcessorSeconds: () => processorSecondsOfTree(postgres.pid),
    memory: () => memoryOfTree(gateway.pid),
    processorSeconds: () => processorSecondsOfTree(gateway.pid),
    lastWords: () => endOfFile(gateway.logFile),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startProcess(folder: string, env: Readonly<Record<string, string | undefined>>) {
  const [port, httpPort] = [await freePort(), await freePort()];
  const logFile = join(folder, 'gateway.log');
  const gateway = await startOwnedProcess({
    command: [process.execPath, ...(env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter(Boolean), program],
    logFile,
    pidFile: join(folder, 'gateway.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 15_000,
    env: {
      LOG_LEVEL: 'warn',
      // As in the image.
      UV_THREADPOOL_SIZE: '16',
      ...env,
      BLOB_DIR: join(folder, 'blobs'),
      SFTP_HOST_KEY_DIR: join(folder, 'host-keys'),
      ACCESS_JWKS_URLS: `http://127.0.0.1:${httpPort}/jwks`,
      PORT: String(httpPort),
      SFTP_PORT: String(port),
      // All clients here have one address, and many log in at a time.
      SFTP_MAX_UNAUTHENTICATED: '2000',
    },
  });
  await untilListening(port, gateway.exited, logFile);
  return { port, pid: gateway.pid, logFile, stop: gateway.stop };
}

async function configure(db: Database, { publicKey }: LoginKey): Promise<void> {
  const configuration = parseConfiguration({
    manager: { name: 'manager1' },
    clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
    actors: [
      {
        name: 'bench',
        type: 'Partner',
        users: [{ name: userName, password, publicKeys: [publicKey] }],
        virtualFileSystems: [{ name: 'bench-files' }],
        connectionContracts: [
          {
            name: 'bench-sftp',
            cluster: 'cluster1',
            server: 'sftp-server',
            clauses: [{ user: userName, vfs: 'bench-files' }],
          },
        ],
      },
    ],
  });
  const by = { user: 'bench', nodeId: 'bench' };
  await applyConfiguration({ db, configuration, by, files: { countFiles: async () => new Map(), setLimits } });
}
