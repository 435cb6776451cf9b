import { readProcessorSeconds } from './read-processor-seconds.ts';

/**
 * Processor time of this process, which is sometimes a client itself, and of all its child processes that have ended.
 */
export async function clientProcessorSeconds(): Promise<number> {
  const { own, ended } = await readProcessorSeconds('self');
  return own + ended;
}
