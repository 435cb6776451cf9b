import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import type { StageContext } from './stage.ts';

/** How long an interrupted program may take to clean up. */
const cleanUpMs = 30_000;

/**
 * Runs a program of the workspace's `node_modules/.bin` in this terminal and resolves with its exit code; ended by a
 * signal counts as 1. An interruption is passed on once and waited for, so that the program can clean up.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { root, signal }: StageContext,
): Promise<number> {
  const binaries = join(root, 'node_modules', '.bin');
  const child = spawn(join(binaries, program), args, {
    cwd: root,
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A separate process group: Ctrl-C in the terminal must not reach it a second time, which would abort its
    // clean-up.
    detached: true,
  });
  let deadline: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    child.kill('SIGINT');
    deadline = setTimeout(() => killGroup(child), cleanUpMs);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await exitCodeOf(child);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearTimeout(deadline);
    // What it has left behind.
    if (signal.aborted) killGroup(child);
  }
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // There is none any more.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
