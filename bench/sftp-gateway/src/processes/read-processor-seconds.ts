import { readFile } from 'node:fs/promises';

/** Processor time in seconds. */
export interface ProcessorSeconds {
  /** Of the process itself. */
  readonly own: number;
  /** Of those that it has started and that have ended, with theirs. */
  readonly ended: number;
}

/** Of Linux' `USER_HZ`, in which `/proc` counts (`proc(5)`). */
const ticksPerSecond = 100;

/** What a process has used up to now; nothing when it is gone. */
export async function readProcessorSeconds(pid: number | 'self'): Promise<ProcessorSeconds> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // After the name in parentheses: the fields utime, stime, cutime and cstime are numbers 14 to 17 of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (at: number): number => Number(fields[at] ?? 0) / ticksPerSecond;
  return { own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14) };
}
