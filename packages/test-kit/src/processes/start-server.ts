import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { waitFor } from '../wait-for.ts';

/** A program of another project that listens on a port of the loopback interface. */
export interface Server extends AsyncDisposable {
  /**
   * Sends a signal to the processes that it has started, one for each connection. `SIGKILL`: clients see a connection that is cut;
   * `SIGSTOP`: a partner that does not answer any more, until `SIGCONT`.
   */
  signalConnections(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

/** How it is started. */
export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly port: number;
  /** For servers that do not end their children themselves. */
  readonly kill?: boolean;
}

const patienceMs = 60_000;

/** Starts it, and waits until it listens. It is gone after its disposal, with its children. */
export async function startServer({ file, args, port, kill = false }: ServerCommand): Promise<Server> {
  const child = spawn(file, args, { stdio: 'ignore', detached: kill });
  await using started = new AsyncDisposableStack();
  started.defer(() => stop(child, kill));
  await waitFor(() => reach(port), { what: `${file} to listen`, timeoutMs: patienceMs });
  const resources = started.move();
  return {
    signalConnections: (signal) => signalChildren(child, signal),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function stop(child: ChildProcess, kill: boolean): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  if (kill) process.kill(-child.pid, 'SIGKILL');
  else {
    signalChildren(child, 'SIGKILL');
    child.kill('SIGTERM');
  }
  await exited;
}

function signalChildren({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')) {
    if (child !== '') process.kill(Number(child), signal);
  }
}

async function reach(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
