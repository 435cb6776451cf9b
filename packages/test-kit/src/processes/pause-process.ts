import { readFileSync } from 'node:fs';

/** Stops a process and everything that it has started, as if the machine hung: it accepts connections and says nothing. */
export function pauseProcess(pid: number, isPaused: boolean): void {
  const signal = isPaused ? 'SIGSTOP' : 'SIGCONT';
  process.kill(pid, signal);
  for (const child of childrenOf(pid)) {
    try {
      pauseProcess(child, isPaused);
    } catch (error) {
      // A child may end between the look and the signal: PostgreSQL's workers come and go.
      if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'ENOENT')))
        throw error;
    }
  }
}

function childrenOf(pid: number): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return pids.filter((child) => child !== '').map(Number);
}
