import { readFile } from 'node:fs/promises';

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
