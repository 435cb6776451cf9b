import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { findProgram } from './find-program.ts';
import { recordProcess } from './process-identity.ts';

/** How to start a process that must not outlive this one. */
export interface OwnedProcessOptions {
  /** The program and its arguments. */
  command: readonly [string, ...string[]];
  /** A program with its arguments that becomes the command, such as `unshare --user`. */
  launcher?: readonly string[];
  /** Standard output and error are appended here. */
  logFile: string;
  /** Records the process for `stopLeftover` in a later run. */
  pidFile: string;
  /** The signal that ends it in order; Linux also sends it when this process dies, even by `kill -9`. */
  stopSignal: NodeJS.Signals;
  /** How long `stop` waits after `stopSignal` before it kills. */
  patienceMs: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Written to its standard input, which is then closed. */
  input?: string;
}

/** A process owned by this one. */
export interface OwnedProcess {
  readonly pid: number;
  /** Settles when it has ended, for any reason. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ends it in order and waits until it has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL, and waits until it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a process in a new session, so that Ctrl-C in the terminal does not reach it and its owner decides when it
 * ends. A program that cannot be run appears as one that exits immediately.
 */
export async function startOwnedProcess(options: OwnedProcessOptions): Promise<OwnedProcess> {
  const { pidFile, stopSignal, patienceMs } = options;
  const child = spawnDetached(options);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      rmSync(pidFile, { force: true });
      resolve({ code, signal });
    });
  });
  await once(child, 'spawn');
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${options.command[0]} has no process id`);
  recordProcess(pidFile, pid);

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    pid,
    exited,
    async stop() {
      const impatience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await end(stopSignal);
      clearTimeout(impatience);
    },
    kill: () => end('SIGKILL'),
  };
}

function spawnDetached(options: OwnedProcessOptions): ChildProcess {
  const { command, launcher = [], logFile, stopSignal, cwd, env, input } = options;
  // Last before the command: some changes that a launcher makes to the process would clear the signal.
  const [program, ...args] = [...launcher, ...dyingWithParent(stopSignal), ...command];
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(program ?? command[0], args, {
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', log, log],
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    child.stdin?.on('error', () => {}).end(input);
    return child;
  } finally {
    closeSync(log);
  }
}

/** util-linux can make the kernel signal a process when its parent dies; elsewhere only `stopLeftover` ends it. */
function dyingWithParent(signal: NodeJS.Signals): string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', signal.replace('SIG', ''), '--'];
}
