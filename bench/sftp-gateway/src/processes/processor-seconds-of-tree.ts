import { processesOfTree } from './processes-of-tree.ts';
import { readProcessorSeconds } from './read-processor-seconds.ts';

/** Processor time of a process and all its descendants until now, including those that have ended. */
export async function processorSecondsOfTree(rootPid: number): Promise<number> {
  const times = await Promise.all((await processesOfTree(rootPid)).map(readProcessorSeconds));
  return times.reduce((sum, { own, ended }) => sum + own + ended, 0);
}
