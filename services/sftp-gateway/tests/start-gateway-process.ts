import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A gateway as in production: a separate process, and the leader of its group. */
export interface GatewayProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly sftpPort: number;
  readonly httpUrl: string;
  /** All log lines of it and its processes. */
  readonly log: readonly LogLine[];
  readonly exited: Promise<unknown>;
  /** The ids of the processes that it supervises now, by their numbers. */
  processes(): Promise<ReadonlyMap<number, number>>;
}

const mainFile = new URL('../src/main.ts', import.meta.url).pathname;

/** Starts it and waits until it listens. */
export async function startGatewayProcess(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [mainFile], {
    env: spawnEnvironment(environment),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const log: LogLine[] = [];
  const listening = Promise.withResolvers<LogLine>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as LogLine;
    log.push(line);
    if (line['httpPort'] !== undefined) listening.resolve(line);
  });
  void exited.then(() => listening.reject(new Error('the gateway did not start')));
  const { sftpPort, httpPort } = await listening.promise;
  return {
    child,
    sftpPort: Number(sftpPort),
    httpUrl: `http://127.0.0.1:${String(httpPort)}`,
    log,
    exited,
    processes: () => processesOf(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await exited;
    },
  };
}

/** Whether the process exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The ids of the child processes of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

async function processesOf(pid: number): Promise<Map<number, number>> {
  const numbered = (await childrenOf(pid)).map(async (id) => {
    const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
    return [Number(/(?:^|\0)SFTP_PROCESS_NUMBER=(\d+)/u.exec(environment)?.[1]), id] as const;
  });
  return new Map(await Promise.all(numbered));
}

/** How long Redis keeps the sessions of a gateway that does not renew them from now on, by the clock of Redis. */
export async function longestLeaseMs(redisUrl: string): Promise<number> {
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const redis = connectRedis({ url: redisUrl, name: 'test', logger });
  const leases = (await redis.keys('waybill:sftp:sessions:*')).map((key) => redis.pttl(key));
  const longest = Math.max(...(await Promise.all(leases)));
  redis.disconnect();
  return longest;
}
