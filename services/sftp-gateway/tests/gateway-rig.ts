import { join } from 'node:path';
import { accessSchema } from '@waybill/access/access-schema';
import type { BuiltInRole } from '@waybill/contracts/roles/built-in-roles';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { directorySchema } from '@waybill/directory/directory-schema';
import { openDirectory } from '@waybill/directory/open-directory';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { ensureFolders } from '@waybill/filebox/entries/ensure-folders';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { listenTo, everySubject } from '@waybill/outbox/listen-to';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { insertManagers, managerNames } from '@waybill/test-kit/values/test-managers';
import { configSchema } from '../src/config.ts';
import { startService, type StartedGateway } from '../src/service.ts';
import { sftpGatewaySchema } from '../src/sftp-gateway-schema.ts';
import { insertLimitedOperator } from './insert-limited-operator.ts';
import { startTokenIssuer } from './start-token-issuer.ts';

/** One gateway process, inside the test. */
export interface RunningGateway extends StartedGateway, AsyncDisposable {
  readonly peerName: string;
  readonly httpUrl: string;
  /** The errors that it logged so far. */
  readonly logLines: readonly string[];
}

type AuditedEvent = Record<'auditCode' | 'auditOperation' | 'auditMessage' | 'dataoneUser', string>;

/** What gateways need, with users `acme` (ACLs), `globex` (none) and `initech` (no contract). */
export interface GatewayRig extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  readonly folder: string;
  /** The environment of a gateway, to start one as a process. */
  environmentOf(peerName: string): Readonly<Record<string, string>>;
  /** Starts a gateway; `env` adds to its environment. */
  start(peerName: string, env?: Readonly<Record<string, string>>): Promise<RunningGateway>;
  /** A bearer token; it expires after that many seconds, by default 15 minutes. */
  tokenOf(role: BuiltInRole, seconds?: number): string;
  /** A bearer token of somebody with the permissions on sessions, limited to an actor. */
  limitedToken(actor: string): Promise<string>;
  /** The audited events so far, oldest first. */
  audited(): Promise<AuditedEvent[]>;
}

/** Options of a rig. */
export interface RigOptions {
  /** A public key line for `acme`, to log in with. */
  readonly publicKey?: string;
  /** Users besides `globex`, with the same files, in the form of the configuration. */
  readonly users?: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[];
  /** The access rules of these files, in the form of the configuration; without any, every user may do everything. */
  readonly acl?: readonly Readonly<Record<string, unknown>>[];
}

/** Creates a rig; the test starts its gateways. */
export async function createGatewayRig(options: RigOptions = {}): Promise<GatewayRig> {
  const resources = new AsyncDisposableStack();
  const [database, redis, folder] = await Promise.all([
    createTestDatabase({ name: 'sftp_gateway', prepare: prepareSchemas }),
    createTestRedis(),
    createTestFolder(),
  ]);
  resources.defer(() => folder.remove());
  resources.defer(() => database.drop());
  resources.defer(() => redis.stop());
  await configure(urlAs('operator', database.url), options);
  const issuer = await startTokenIssuer(resources);

  const environmentOf = (peerName: string) => ({
    DATABASE_URL: urlAs('sftp_gateway', database.url),
    REDIS_URL: redis.url,
    BLOB_DIR: join(folder.path, 'blobs'),
    SFTP_HOST_KEY_DIR: join(folder.path, 'host-keys'),
    // Generating an RSA key takes a second.
    SFTP_HOST_KEY_TYPES: 'ed25519,ecdsa',
    ACCESS_JWKS_URLS: issuer.jwksUrl,
    PEER_NAME: peerName,
    PORT: '0',
    SFTP_PORT: '0',
    SHUTDOWN_TIMEOUT_SECONDS: '4',
  });

  return {
    database,
    redis,
    folder: folder.path,
    tokenOf: (role, seconds = 900) =>
      issuer.issue({ userName: userNameSchema.parse(managerNames[role]), roles: [role] }, seconds),
    limitedToken: async (actor) =>
      issuer.issue({ userName: await insertLimitedOperator(database, actor), roles: [] }, 900),
    environmentOf,
    start: async (peerName, env = {}) => {
      const started = await startTestGateway({ ...environmentOf(peerName), ...env });
      return { ...started, peerName };
    },
    audited: async () => {
      const rows = await database.query(
        "select payload from outbox.events where topic = 'audit-event' order by created_at, id",
      );
      return rows.map(({ payload }) => payload as AuditedEvent);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startTestGateway(env: Readonly<Record<string, string>>) {
  const resources = new AsyncDisposableStack();
  const level = process.env['TEST_LOG_LEVEL'];
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({
    service: 'sftp-gateway',
    level: level ?? 'error',
    ...(level === undefined && { destination }),
  });
  const config = loadConfig(configSchema, env);
  const started = await startService({
    config,
    logger,
    metrics: createMetrics('sftp-gateway'),
    health: createHealth(),
    resources,
    env,
  });
  return {
    ...started,
    logLines,
    httpUrl: `http://127.0.0.1:${started.httpPort}`,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function prepareSchemas(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'test', poolSize: 2 });
  await migrateWithRoles(
    db,
    [outboxSchema, accessSchema, directorySchema, fileboxSchema, secretsSchema, sftpGatewaySchema],
    testRoles,
  );
  await db.destroy();
}

const everything = ['list', 'download', 'upload', 'delete', 'rename', 'createFolder'];

async function configure(url: string, { publicKey = '', users = [], acl }: RigOptions): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'test', poolSize: 2 });
  const contractOf = (name: string, ...others: string[]) => ({
    name: `${name}-sftp`,
    cluster: 'cluster1',
    server: 'sftp-server',
    clauses: [name, ...others].map((user) => ({ user, vfs: `${name}-files` })),
  });
  const configuration = parseConfiguration({
    manager: { name: 'manager1' },
    clusters: [
      {
        name: 'cluster1',
        servers: [
          { name: 'sftp-server', protocol: 'SFTP' },
          { name: 'http-server', protocol: 'HTTP' },
        ],
      },
    ],
    managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        users: [{ name: 'acme', password: 'acme-demo', publicKeys: [publicKey] }],
        virtualFileSystems: [
          {
            name: 'acme-files',
            acl: [
              { path: '/', grants: [{ user: 'acme', permissions: ['list'] }] },
              { path: '/inbox', grants: [{ user: 'acme', permissions: everything }] },
              { path: '/outbox', grants: [{ user: 'acme', permissions: ['list', 'download'] }] },
              { path: '/dropbox', grants: [{ user: 'acme', permissions: ['upload'] }] },
              { path: '/inbox/tree/closed', grants: [{ user: 'acme', permissions: ['list', 'createFolder'] }] },
              { path: '/private', grants: [{ user: 'acme', permissions: [] }] },
              { path: '/inbox/secret', grants: [{ user: 'acme', permissions: [] }] },
            ],
          },
        ],
        connectionContracts: [contractOf('acme')],
      },
      {
        name: 'globex',
        type: 'Partner',
        users: [{ name: 'globex', password: 'globex-demo' }, ...users],
        virtualFileSystems: [{ name: 'globex-files', ...(acl && { acl }) }],
        connectionContracts: [contractOf('globex', ...users.map(({ name }) => name))],
      },
      {
        name: 'initech',
        type: 'Partner',
        users: [{ name: 'initech', password: 'initech-demo' }],
        virtualFileSystems: [{ name: 'initech-files' }],
      },
    ],
  });
  await applyConfiguration({
    db,
    configuration,
    by: { user: 'test', nodeId: 'test' },
    files: { countFiles: async () => new Map(), setLimits },
  });
  await db.raw(insertManagers);
  // The tests read file events, as if contracts listened to all of them.
  await db.transaction((trx) => listenTo(trx, 'test', [everySubject]));
  const directory = openDirectory({ db });
  for (const [vfsName, folders] of Object.entries({
    'acme-files': ['/inbox/secret', '/outbox', '/dropbox', '/private'],
    'globex-files': ['/data'],
  })) {
    const vfs = await directory.findVfsByName(vfsName);
    if (vfs === undefined) throw new Error(`${vfsName} is not there`);
    await ensureFolders(db, vfs.id, folders.map(parseVirtualPath));
  }
  await db.destroy();
}
