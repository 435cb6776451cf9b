import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { freePorts, launchPlatform } from './launch-platform.ts';

/** A process of the platform that can be stopped for a while and killed. */
export type PartName = 'sftp-gateway' | 'http-files' | 'job-manager' | 'audit' | 'postgres' | 'redis';

/** A whole platform of its own, as `npm start` runs it, on free ports and in a folder that goes with it. */
export interface PlatformProcess extends AsyncDisposable {
  readonly url: string;
  readonly sftpPort: number;
  /** Its database, as the role of the gateway. */
  readonly databaseUrl: string;
  /** The same, as the role of the job manager. */
  readonly jobsDatabaseUrl: string;
  /** Its `WAYBILL_DIR`. */
  readonly folder: string;
  /** Ports of the services' own HTTP, with their metrics. */
  readonly servicePorts: readonly number[];
  /** A private key that logs in as acme. */
  readonly acmeKeyFile: string;
  /** A client with no login yet. */
  http(): HttpClient;
  /** An access token of the administrator. */
  adminToken(): Promise<string>;
  /** Sends a signal to one part: SIGSTOP, SIGCONT or SIGKILL. A killed one is started again by the platform. */
  signal(part: PartName, signal: NodeJS.Signals): Promise<void>;
  /** Everything it printed. */
  printed(): string;
}

/** Starts a platform and resolves when it is up; `env` adds to its environment, and may set `WAYBILL_EDGE_PORT`. */
export async function startPlatformProcess(env: Readonly<Record<string, string>> = {}): Promise<PlatformProcess> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTestFolder());
  const free = await freePorts();
  const ports = { ...free, WAYBILL_EDGE_PORT: env['WAYBILL_EDGE_PORT'] ?? free.WAYBILL_EDGE_PORT };
  const platform = await launchPlatform({ folder: folder.path, ports, env });
  stack.defer(async () => {
    process.kill(platform.pid, 'SIGTERM');
    await platform.ended;
  });
  await platform.untilUp();
  const url = `http://127.0.0.1:${ports.WAYBILL_EDGE_PORT}`;
  const databaseUrl = await readDatabaseUrl(folder.path, 'sftp-gateway');
  const jobsDatabaseUrl = await readDatabaseUrl(folder.path, 'job-manager');
  const owned = stack.move();
  return {
    url,
    sftpPort: Number(ports.WAYBILL_SFTP_PORT),
    databaseUrl,
    jobsDatabaseUrl,
    folder: folder.path,
    servicePorts: ['SFTP_GATEWAY', 'HTTP_FILES', 'JOB_MANAGER', 'AUDIT'].map((name) =>
      Number(ports[`WAYBILL_${name as 'AUDIT'}_PORT`]),
    ),
    acmeKeyFile: join(folder.path, 'keys', 'acme'),
    http: () => createHttpClient(url),
    adminToken: () => logIn(url),
    signal: async (part, signal) => {
      process.kill(Number.parseInt(await readFile(pidFile(folder.path, part), 'utf8'), 10), signal);
    },
    printed: platform.printed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function pidFile(folder: string, part: PartName): string {
  const isDatastore = part === 'postgres' || part === 'redis';
  return join(folder, isDatastore ? part : 'run', `${part}.pid`);
}

async function readDatabaseUrl(folder: string, service: string): Promise<string> {
  const environment = await readFile(join(folder, 'environments', `${service}.env`), 'utf8');
  const url = new URL(/^DATABASE_URL=(.+)$/m.exec(environment)?.[1] ?? '');
  url.password = await readFile(join(folder, 'keys', 'database', service), 'utf8');
  return url.toString();
}

async function logIn(url: string): Promise<string> {
  const answer = await createHttpClient(url).post('/platform-application/api/v1/auth/login', {
    json: { username: 'admin', password: 'admin-demo' },
  });
  return (answer.json() as { accessToken: string }).accessToken;
}
