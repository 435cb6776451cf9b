import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { redisAnswers } from './redis-answers.ts';
import type { RedisProgram } from './redis-program.ts';
import { type OwnedProcess, startOwnedProcess } from './start-owned-process.ts';
import { stopLeftover } from './stop-leftover.ts';

const readyTimeoutMs = 60_000;

/** How to run a private Redis. */
export interface PrivateRedisOptions {
  /** Keeps data, password and log; created if missing, reused later. */
  folder: string;
  /** From `ensureRedisServer`. */
  program: RedisProgram;
  /** Default: a free one. */
  port?: number;
  /** Default: `<folder>/redis.log`. */
  logFile?: string;
  /** Users beside the default one, who may do everything: a `user` line of the configuration each. Default: none. */
  usersOf?(password: string): readonly string[];
}

/** A running Redis that belongs to this process. */
export interface PrivateRedis {
  readonly port: number;
  readonly pid: number;
  /** Including the password. */
  readonly url: string;
  /** Settles when the server has ended, for any reason. */
  readonly exited: OwnedProcess['exited'];
  /** Saves all data and waits until the server has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the server, as in a crash. */
  kill(): Promise<void>;
}

/**
 * Starts a real Redis on loopback with the settings that BullMQ needs (no eviction, append-only file) and waits until
 * it responds.
 */
export async function startPrivateRedis(options: PrivateRedisOptions): Promise<PrivateRedis> {
  const folder = path.resolve(options.folder);
  const [pidFile, logFile] = [path.join(folder, 'redis.pid'), options.logFile ?? path.join(folder, 'redis.log')];
  await mkdir(path.join(folder, 'data'), { recursive: true, mode: 0o700 });
  await stopLeftover({ pidFile, signal: 'SIGTERM', patienceMs: 10_000 });

  const port = options.port ?? (await freePort());
  const password = await keptPassword(path.join(folder, 'password'));
  const { command, settings } = commandOf(options.program, path.join(folder, 'data'), port);
  const server = await startOwnedProcess({
    command,
    // Configuration by standard input keeps the password out of the list of processes.
    input: configurationOf({ ...settings, ...durable, requirepass: password }, options.usersOf?.(password)),
    logFile,
    pidFile,
    stopSignal: 'SIGTERM',
    patienceMs: 10_000,
  });
  await untilReady(server, { port, password }, logFile);
  return {
    port,
    pid: server.pid,
    url: `redis://:${password}@127.0.0.1:${port}/0`,
    exited: server.exited,
    stop: server.stop,
    kill: server.kill,
  };
}

const durable = { appendonly: 'yes', appendfsync: 'everysec', save: '""', 'maxmemory-policy': 'noeviction' };

interface RedisCommand {
  command: [string, ...string[]];
  settings: Readonly<Record<string, string>>;
}

function commandOf(program: RedisProgram, data: string, port: number): RedisCommand {
  if (program.kind === 'program') {
    return { command: [program.file, '-'], settings: { bind: '127.0.0.1', port: String(port), dir: data } };
  }
  const container = [
    'run',
    '--rm',
    '--interactive',
    '--publish',
    `127.0.0.1:${port}:6379`,
    '--volume',
    `${data}:/data`,
  ];
  return { command: [program.file, ...container, program.image, 'valkey-server', '-'], settings: { dir: '/data' } };
}

function configurationOf(settings: Readonly<Record<string, string>>, users: readonly string[] = []): string {
  const lines = [...Object.entries(settings).map(([name, value]) => `${name} ${value}`), ...users];
  return lines.map((line) => `${line}\n`).join('');
}

async function keptPassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, password, { mode: 0o600 });
  await chmod(file, 0o600);
  return password;
}

async function untilReady(
  server: OwnedProcess,
  address: { port: number; password: string },
  logFile: string,
): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const giveUpAtMs = Date.now() + readyTimeoutMs;
  while (!(await redisAnswers(address))) {
    if (ended) throw new Error(`Redis ended while it started: see ${logFile}`);
    if (Date.now() > giveUpAtMs) {
      await server.stop();
      throw new Error(`Redis was not ready within ${readyTimeoutMs / 1000} s: see ${logFile}`);
    }
    await sleep(10);
  }
}
