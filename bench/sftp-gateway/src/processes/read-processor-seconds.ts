import { readFile } from 'node:fs/promises';
import { processesOfTree } from './processes-of-tree.ts';

/** Processor time of a process and all its descendants until now, including those that have ended. */
export async function processorSecondsOfTree(rootPid: number): Promise<number> {
  const times = await Promise.all((await processesOfTree(rootPid)).map(readProcessorSeconds));
  return times.reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/**
 * Processor time of this process, which is sometimes a client itself, and of all its child processes that have ended.
 */
export async function clientProcessorSeconds(): Promise<number> {
  const { own, ended } = await readProcessorSeconds('self');
  return own + ended;
}

/** Processor time in seconds. */
export interface ProcessorSeconds {
  /** Of the process itself. */
  readonly own: number;
  /** Of its child processes that have ended, with theirs. */
  readonly ended: number;
}

/** Linux' `USER_HZ`, the unit of `/proc` (`proc(5)`). */
const ticksPerSecond = 100;

/** Processor time of a process until now; undefined if it has ended. */
export async function readProcessorSeconds(pid: number | 'self'): Promise<ProcessorSeconds> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // After the name in parentheses: the fields utime, stime, cutime and cstime are numbers 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (at: number): number => Number(fields[at] ?? 0) / ticksPerSecond;
  return { own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14) };
}
