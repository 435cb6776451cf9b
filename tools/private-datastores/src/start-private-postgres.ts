import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { initialisePostgres, privateName } from './initialise-postgres.ts';
import { findPostgresPrograms } from './postgres-programs.ts';
import { type OwnedProcess, startOwnedProcess } from './start-owned-process.ts';
import { stopLeftover } from './stop-leftover.ts';
import { findUnprivilegedLauncher } from './unprivileged-launcher.ts';

const readyTimeoutMs = 60_000;

/** How to run a private PostgreSQL. */
export interface PrivatePostgresOptions {
  /** Keeps data, password and log; created if missing, reused later. */
  folder: string;
  /** Default: a free one. */
  port?: number;
  /** Server settings, such as `{ fsync: 'off' }` for tests. */
  settings?: Readonly<Record<string, string>>;
  /** Default: `<folder>/postgres.log`. */
  logFile?: string;
}

/** A running PostgreSQL that belongs to this process. */
export interface PrivatePostgres {
  readonly port: number;
  readonly pid: number;
  /** The address of a database, including the password. The database `waybill` exists from the start. */
  url(database?: string): string;
  /**
   * The same through a Unix socket, which takes less processor time than loopback: for programs of this machine that
   * can read the folder. If the folder's path does not fit a socket it is `url`.
   */
  socketUrl(database?: string): string;
  /** Settles when the server has ended, for any reason. */
  readonly exited: OwnedProcess['exited'];
  /** Ends open connections, writes a checkpoint, and waits until the server has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the server, as in a crash. The next start recovers. */
  kill(): Promise<void>;
}

/** Starts a real PostgreSQL 18 on loopback and waits until it accepts connections. */
export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const folder = path.resolve(options.folder);
  const [data, passwordFile] = [path.join(folder, 'data'), path.join(folder, 'password')];
  const [pidFile, logFile] = [path.join(folder, 'postgres.pid'), options.logFile ?? path.join(folder, 'postgres.log')];
  const programs = findPostgresPrograms();
  const launcher = findUnprivilegedLauncher(programs);

  await mkdir(folder, { recursive: true, mode: 0o700 });
  await stopLeftover({ pidFile, signal: 'SIGINT', patienceMs: 20_000 });
  await initialisePostgres({ data, passwordFile }, programs, launcher);
  // Our server has ended by now: the pid in this file is dead, or belongs to another program.
  await rm(path.join(data, 'postmaster.pid'), { force: true });

  const port = options.port ?? (await freePort());
  const server = await startOwnedProcess({
    command: [
      programs.postgres,
      '-D',
      data,
      ...flagsOf({ ...localOnly(data), ...options.settings, port: String(port) }),
    ],
    launcher: launcher.command,
    logFile,
    pidFile,
    stopSignal: 'SIGINT',
    patienceMs: 20_000,
  });
  await untilReady(server, data, logFile);

  const password = (await readFile(passwordFile, 'utf8')).trim();
  const url = (database = privateName): string => `postgres://${privateName}:${password}@127.0.0.1:${port}/${database}`;
  return {
    port,
    pid: server.pid,
    url,
    socketUrl: (database) => url(database) + (isFitForSocket(data) ? `?host=${encodeURIComponent(data)}` : ''),
    exited: server.exited,
    stop: server.stop,
    kill: server.kill,
  };
}

/** The data folder belongs to the server's user: no other user reaches a socket in it. */
function localOnly(data: string) {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: isFitForSocket(data) ? data : '',
    logging_collector: 'off',
  };
}

/**
 * The address of a socket has at most 107 bytes (`unix(7)`), including `/.s.PGSQL.65535`; PostgreSQL takes a list of
 * folders.
 */
function isFitForSocket(folder: string): boolean {
  return process.platform !== 'win32' && /^[\w./-]{1,88}$/u.test(folder);
}

function flagsOf(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** PostgreSQL writes its state into line 8 of `postmaster.pid` for this purpose. */
async function untilReady(server: OwnedProcess, data: string, logFile: string): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const giveUpAtMs = Date.now() + readyTimeoutMs;
  for (;;) {
    const lines = await readFile(path.join(data, 'postmaster.pid'), 'utf8').then(
      (text) => text.split('\n'),
      () => [],
    );
    if (lines[7]?.trim() === 'ready') return;
    if (ended) throw new Error(`PostgreSQL ended while it started: see ${logFile}`);
    if (Date.now() > giveUpAtMs) {
      await server.stop();
      throw new Error(`PostgreSQL was not ready within ${readyTimeoutMs / 1000} s: see ${logFile}`);
    }
    await sleep(20);
  }
}
