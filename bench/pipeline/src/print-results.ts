import type { Latency } from './latencies.ts';
import type { Floor } from './latency-floor.ts';
import type { ProcessorTimes } from './processor-time.ts';
import type { ProgramTime } from './sshfs-programs.ts';
import { partNames } from './start-bench-platform.ts';
import type { Delay } from './visibility.ts';
import type { WaitingMemory } from './waiting-memory.ts';

/** The times of the parts, on one line. */
export function printProcessorTimes(what: string, { filesPerSecond, parts, total }: ProcessorTimes): void {
  const each = partNames.map((part) => `${part} ${parts[part].toFixed(2)}`).join(', ');
  const speed = filesPerSecond > 0 ? ` (${filesPerSecond.toFixed(0)} files/s)` : '';
  console.log(`${what}${speed}: ${total.toFixed(2)} ms of processor time: ${each}`);
}

/** Each operation, ours beside theirs. */
export function printLatencies(ours: readonly Latency[], theirs: readonly Latency[]): void {
  console.log(`${'operation'.padEnd(20)} p50 ms  p95 ms   OpenSSH p50  p95`);
  for (const [index, { operation, p50, p95 }] of ours.entries()) {
    const other = theirs[index];
    const [theirP50, theirP95] = [(other?.p50 ?? Number.NaN).toFixed(2), (other?.p95 ?? Number.NaN).toFixed(2)];
    console.log(
      `${operation.padEnd(20)} ${p50.toFixed(2).padStart(6)} ${p95.toFixed(2).padStart(7)} ${theirP50.padStart(13)} ${theirP95}`,
    );
  }
}

/** Each part of small operations, alone. */
export function printFloor(floors: readonly Floor[]): void {
  console.log(`${'minimum'.padEnd(40)} p50 ms   processor ms, PostgreSQL's`);
  for (const { what, p50, processor } of floors) {
    const [here, postgres] = [processor.here.toFixed(2), processor.postgres.toFixed(2)];
    console.log(`${what.padEnd(40)} ${p50.toFixed(2).padStart(6)} ${here.padStart(14)} ${postgres.padStart(13)}`);
  }
}

/** One kind of delay. */
export function printDelay(what: string, { p50, p95, p99 }: Delay): void {
  console.log(`${what}: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
}

/** Whether a goal was reached. */
export function printGoal(goal: string, isMet: boolean): void {
  console.log(`goal: ${goal}: ${isMet ? 'met' : 'NOT MET'}`);
}

/** The growth of Redis. */
export function printWaitingMemory({ waitingEvents, before, after }: WaitingMemory): void {
  const grown = (after - before).toFixed(2);
  console.log(
    `Redis while ${waitingEvents} events wait: ${before.toFixed(2)} MiB, then ${after.toFixed(2)} MiB (+${grown} MiB)`,
  );
}

/** Each program over sshfs, ours beside theirs. */
export function printPrograms(ours: readonly ProgramTime[] = [], theirs: readonly ProgramTime[] = []): void {
  for (const [index, { program, seconds }] of ours.entries()) {
    const other = theirs[index]?.seconds ?? Number.NaN;
    const ratio = (seconds / other).toFixed(1);
    console.log(`${program}: ${seconds.toFixed(1)} s, OpenSSH ${other.toFixed(1)} s (${ratio} times)`);
  }
}
