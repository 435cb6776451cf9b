import { readProcessorSeconds } from './read-processor-seconds.ts';

/** Processor time of this process, which is a client itself at times, and of all that it has started and that have ended. */
export async function clientProcessorSeconds(): Promise<number> {
  const { own, ended } = await readProcessorSeconds('self');
  return own + ended;
}
