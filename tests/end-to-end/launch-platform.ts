import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { waitFor } from '@waybill/test-kit/wait-for';
import { inject } from 'vitest';

/** The repository. */
const root = fileURLToPath(new URL('../../', import.meta.url));

const portNames = ['EDGE', 'SFTP', 'SFTP_GATEWAY', 'HTTP_FILES', 'JOB_MANAGER', 'AUDIT', 'POSTGRES', 'REDIS'] as const;

/** Each launch prints to a file of its own, also where several use one folder. */
let launches = 0;

/** The variables of `npm start` that name its ports. */
export type PortVariables = Record<`WAYBILL_${(typeof portNames)[number]}_PORT`, string>;

/** The process behind `npm start`, up or not. */
export interface LaunchedPlatform {
  readonly pid: number;
  /** Everything it printed. */
  printed(): string;
  /** Resolves when it is up; rejects, with what it printed, when it ends before. */
  untilUp(): Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ exitCode: number | null }>;
}

/**
 * Ports that are free, and remain so until a later start: they are below those that the system gives to connections, and no other
 * test of this run gets them.
 */
export async function freePorts(): Promise<PortVariables> {
  const ports = new Set<number>();
  while (ports.size < portNames.length) {
    const port = randomInt(20_000, 32_000);
    if ((await isFree(port)) && reserve(port)) ports.add(port);
  }
  const [...chosen] = ports;
  return Object.fromEntries(
    portNames.map((name, index) => [`WAYBILL_${name}_PORT`, String(chosen[index])]),
  ) as PortVariables;
}

/** False if another test of this run has it. */
function reserve(port: number): boolean {
  const file = join(inject('waybillTestFolder') ?? tmpdir(), `port-${port}`);
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Runs what `npm start` runs, with data of its own in `folder`; it ends in order when this process dies. */
export async function launchPlatform(options: {
  folder: string;
  ports: PortVariables;
  /** What else is in its environment. */
  env?: Readonly<Record<string, string>>;
}): Promise<LaunchedPlatform> {
  launches += 1;
  const logFile = join(options.folder, `npm-start-${launches}.log`);
  const { pid, exited } = await startOwnedProcess({
    command: [process.execPath, join(root, 'tools/local-platform/src/main.ts')],
    cwd: root,
    env: { ...process.env, ...options.ports, ...options.env, WAYBILL_DIR: options.folder },
    logFile,
    pidFile: join(options.folder, `npm-start-${launches}.pid`),
    stopSignal: 'SIGTERM',
    patienceMs: 90_000,
  });
  const printed = () => readFileSync(logFile, 'utf8');
  let isOver = false;
  const ended = exited.then(({ code }) => {
    isOver = true;
    return { exitCode: code };
  });
  return {
    pid,
    printed,
    ended,
    async untilUp() {
      await waitFor(() => printed().includes('Waybill is up') || isOver, {
        what: 'the platform to be up',
        timeoutMs: 120_000,
      });
      if (isOver) throw new Error(`the platform ended while it started:\n${printed()}`);
    },
  };
}
