import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { endOfFile } from '@waybill/bench-sftp-gateway/servers/bench-server';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { applyBenchConfiguration } from './bench-configuration.ts';

/** The programs of a platform. */
export const partNames = ['sftp-gateway', 'http-files', 'job-manager', 'audit', 'postgres', 'redis'] as const;

/** One program of a platform. */
export type PartName = (typeof partNames)[number];

/** A whole platform, started as `npm start` does. */
export interface BenchPlatform extends AsyncDisposable {
  readonly sftpPort: number;
  readonly redisUrl: string;
  readonly db: Database;
  /** Processor time until now in seconds, of all processes of a part, including those that have ended. */
  processorSeconds(part: PartName): Promise<number>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const startTimeoutMs = 120_000;
const portNames = ['EDGE', 'SFTP', 'SFTP_GATEWAY', 'HTTP_FILES', 'JOB_MANAGER', 'AUDIT', 'POSTGRES', 'REDIS'] as const;

/**
 * Starts a platform in a separate folder and applies the configuration of the benchmark.
 * @param options.without services that are left out
 */
export async function startBenchPlatform(
  folder: string,
  { publicKey, without = [] }: { publicKey: string; without?: readonly PartName[] },
): Promise<BenchPlatform> {
  await using starting = new AsyncDisposableStack();
  const ports: Record<string, string> = {};
  for (const name of portNames) ports[`WAYBILL_${name}_PORT`] = String(await freePort());
  const logFile = join(folder, 'npm-start.log');
  const platform = await startOwnedProcess({
    command: [process.execPath, join(root, 'tools/local-platform/src/main.ts')],
    cwd: root,
    env: { ...process.env, ...ports, WAYBILL_DIR: folder, WAYBILL_WITHOUT: without.join(',') },
    logFile,
    pidFile: join(folder, 'npm-start.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 90_000,
  });
  starting.defer(() => platform.stop());
  await untilUp(logFile, platform.exited);
  const environment = await readFile(join(folder, 'environments', 'sftp-gateway.env'), 'utf8');
  const setting = (name: string): string => new RegExp(`^${name}=(.+)$`, 'mu').exec(environment)?.[1] ?? '';
  const url = await superuserOf(folder, setting('DATABASE_URL'));
  const db = connectPostgres({ url, applicationName: 'bench', poolSize: 2 });
  starting.defer(() => db.destroy());
  await applyBenchConfiguration(db, publicKey);
  const resources = starting.move();
  return {
    sftpPort: Number(ports['WAYBILL_SFTP_PORT']),
    redisUrl: await redisUrlOf(setting('REDIS_URL'), setting('REDIS_PASSWORD_FILE')),
    db,
    processorSeconds: async (part) => processorSecondsOfTree(await pidOf(folder, part)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The benchmark configures the platform and reads the tables of every service. */
async function superuserOf(folder: string, serviceUrl: string): Promise<string> {
  const url = new URL(serviceUrl);
  url.username = 'waybill';
  url.password = await readFile(join(folder, 'postgres', 'password'), 'utf8');
  return url.toString();
}

/** The address of Redis for its default user, who may do everything. */
async function redisUrlOf(serviceUrl: string, passwordFile: string): Promise<string> {
  const url = new URL(serviceUrl);
  url.username = '';
  url.password = (await readFile(passwordFile, 'utf8')).trim();
  return url.toString();
}

async function untilUp(logFile: string, exited: Promise<unknown>): Promise<void> {
  let ended = false;
  void exited.finally(() => (ended = true));
  const deadline = Date.now() + startTimeoutMs;
  while (!(await endOfFile(logFile)).includes('Waybill is up')) {
    if (ended || Date.now() > deadline) throw new Error(`The platform did not start:\n${await endOfFile(logFile)}`);
    await delay(100);
  }
}

async function pidOf(folder: string, part: PartName): Promise<number> {
  const isDatastore = part === 'postgres' || part === 'redis';
  const text = await readFile(join(folder, isDatastore ? part : 'run', `${part}.pid`), 'utf8');
  return Number.parseInt(text, 10);
}
