import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { accessSchema } from '@waybill/access/access-schema';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { directorySchema } from '@waybill/directory/directory-schema';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { secretsSchema } from '@waybill/secrets/secrets-schema';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
}

/** PostgreSQL with fsync, Redis, and a job manager that serves the HTTP interface and runs no jobs. */
export interface ApiManager extends AsyncDisposable {
  readonly postgres: { readonly pid: number; readonly url: string };
  readonly redisPid: number;
  readonly manager: ServerProcess;
  /** An access token of an administrator. */
  readonly token: string;
  /** The key that signs such tokens. */
  readonly keyFile: string;
  /** Starts another server, which is stopped with the others. The port follows its arguments. */
  readonly start: (name: string, program: string, args: readonly string[]) => Promise<ServerProcess>;
}

const password = randomBytes(18).toString('base64url');
const jobManager = fileURLToPath(new URL('../../../../services/job-manager/src/main.ts', import.meta.url));

/** Starts everything in the system's temporary folder (set TMPDIR to choose); everything is removed with it. */
export async function startApiManager(print: (line: string) => void, document: object): Promise<ApiManager> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres') });
  opening.defer(() => postgres.stop());
  const redis = await startPrivateRedis({ folder: join(folder, 'redis'), program: await ensureRedisServer(print) });
  opening.defer(() => redis.stop());
  await configure(postgres.url(), document);
  const keyFile = join(folder, 'access.pem');
  const launch = async (name: string, command: readonly string[], port: number, env: Record<string, string>) => {
    const server = await startOwnedProcess({
      command: [process.execPath, ...command],
      logFile: join(folder, `${name}.log`),
      pidFile: join(folder, `${name}.pid`),
      stopSignal: 'SIGTERM',
      patienceMs: 20_000,
      env: { ...process.env, ...env, PORT: String(port) },
    });
    opening.defer(() => server.stop());
    await untilAnswers(port);
    return { port, pid: server.pid };
  };
  const manager = await launch('job-manager', [jobManager], await freePort(), {
    ROLE: 'api',
    DATABASE_URL: postgres.url(),
    OPERATOR_DATABASE_URL: postgres.url(),
    DATABASE_PRIVILEGED_USER: 'allow',
    REDIS_URL: redis.url,
    BLOB_DIR: join(folder, 'blobs'),
    ACCESS_SIGNING_KEY_FILE: keyFile,
    // On a machine that other programs use, a second of work can take ten.
    WATCHDOG_SECONDS: '0',
  });
  const token = await logIn(manager.port);
  const resources = opening.move();
  return {
    postgres: { pid: postgres.pid, url: postgres.url() },
    redisPid: redis.pid,
    manager,
    token,
    keyFile,
    start: async (name, program, args) => {
      const port = await freePort();
      return await launch(name, [program, ...args, String(port)], port, {});
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function configure(url: string, document: object): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'bench' });
  try {
    const schemas = [outboxSchema, directorySchema, accessSchema, fileboxSchema, jobsSchema, secretsSchema];
    for (const schema of schemas) await migrate(db, schema);
    await applyConfiguration({
      db,
      configuration: parseConfiguration({
        manager: { name: 'manager1' },
        clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
        managerUsers: [{ name: 'admin', password, roles: ['Administrators'] }],
        ...document,
      }),
      by: { user: 'bench', nodeId: 'bench' },
      files: { countFiles: async () => new Map(), setLimits },
    });
  } finally {
    await db.destroy();
  }
}

async function logIn(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/platform-application/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
    signal: AbortSignal.timeout(10_000),
  });
  const { accessToken } = (await response.json()) as { accessToken?: string };
  if (accessToken === undefined) throw new Error(`the login was answered ${response.status}`);
  return accessToken;
}

/** Waits until a server responds, with any status. */
async function untilAnswers(port: number): Promise<void> {
  const giveUpAtMs = Date.now() + 120_000;
  for (;;) {
    try {
      await (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) })).arrayBuffer();
      return;
    } catch (cause) {
      if (Date.now() > giveUpAtMs) throw new Error(`nothing answers at port ${port}`, { cause });
      await sleep(50);
    }
  }
}
