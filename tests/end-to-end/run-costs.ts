import { readFileSync } from 'node:fs';

/** Measures how long operations take. */
export interface Stopwatch {
  /** Does something, and keeps how long it took. */
  time(operation: () => Promise<void>): Promise<void>;
  /** The median, the 99th percentile and the longest time. */
  summary(): string;
}

/** A stopwatch without times. */
export function createStopwatch(): Stopwatch {
  const times: number[] = [];
  return {
    async time(operation) {
      const startedAt = performance.now();
      await operation();
      times.push(performance.now() - startedAt);
    },
    summary() {
      const sorted = times.toSorted((one, other) => one - other);
      const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
      return `median ${at(0.5)}, 99th percentile ${at(0.99)}, longest ${at(1)}`;
    },
  };
}

/** Ticks of a processor per second, as Linux counts them. */
const ticksPerSecond = 100;

/** The processor time of processes, and of children of theirs that have ended. `lines` begin with their ids. */
export function processorSecondsOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + secondsOf(Number.parseInt(line, 10)), 0);
}

function secondsOf(pid: number): number {
  try {
    // The name of the process before may contain blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  } catch {
    return 0;
  }
}
