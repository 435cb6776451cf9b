import { readFile } from 'node:fs/promises';

/** Of Linux' `USER_HZ`, in which `/proc` counts (`proc(5)`). */
const ticksPerSecond = 100;

/** Processor time of all processes that this one has started and that have ended, their own such ones included. */
export async function clientProcessorSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'latin1');
  // After the name in parentheses: the fields cutime and cstime are numbers 16 and 17 of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
