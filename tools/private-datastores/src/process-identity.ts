import { readFileSync, writeFileSync } from 'node:fs';

/** A process and its start time: the pid alone may now belong to another one. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in clock ticks since boot, from `/proc/<pid>/stat`. */
  startTicks: string;
}

/** Identifies a running process; undefined if it has ended (or is a zombie), or if there is no `/proc`. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses and may contain spaces; what follows starts with field 3, the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return startTicks === undefined || state === 'Z' ? undefined : { pid, startTicks };
  } catch {
    return undefined;
  }
}

/** Whether exactly this process still runs. */
export function isRunning({ pid, startTicks }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startTicks === startTicks;
}

/** Records a process for `recordedProcess` in another one. Nothing is written if there is no `/proc`. */
export function recordProcess(pidFile: string, pid: number): void {
  const identity = identifyProcess(pid);
  if (identity !== undefined) writeFileSync(pidFile, `${identity.pid} ${identity.startTicks}\n`);
}

/** The process that a pid file names, if exactly that one still runs. */
export function recordedProcess(pidFile: string): ProcessIdentity | undefined {
  try {
    const [pid, startTicks] = readFileSync(pidFile, 'utf8').trim().split(' ');
    const recorded = { pid: Number(pid), startTicks: startTicks ?? '' };
    return isRunning(recorded) ? recorded : undefined;
  } catch {
    return undefined;
  }
}
