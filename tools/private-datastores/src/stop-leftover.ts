import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity, recordedProcess } from './process-identity.ts';

/** What to end, how, and how long to wait before it is killed. */
export interface Leftover {
  /** Written by `startOwnedProcess`; may be absent. */
  pidFile: string;
  signal: NodeJS.Signals;
  patienceMs: number;
}

/**
 * Ends the process that an earlier run recorded in `pidFile` and left behind, if it still runs. A pid that now belongs
 * to another process is left alone.
 * @returns the process that was ended, or undefined if there was none
 */
export async function stopLeftover({ pidFile, signal, patienceMs }: Leftover): Promise<ProcessIdentity | undefined> {
  const leftover = recordedProcess(pidFile);
  if (leftover === undefined) return undefined;
  process.kill(leftover.pid, signal);
  const killAtMs = Date.now() + patienceMs;
  while (isRunning(leftover)) {
    if (Date.now() > killAtMs) killIfRunning(leftover);
    await sleep(20);
  }
  rmSync(pidFile, { force: true });
  return leftover;
}

function killIfRunning({ pid, startTicks }: ProcessIdentity): void {
  if (isRunning({ pid, startTicks })) process.kill(pid, 'SIGKILL');
}
