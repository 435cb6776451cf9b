import type { PlatformError } from '../platform-error.ts';
import { isPlatformError } from '../platform-error.ts';
import { isPassing, pause } from '../requests/repetition.ts';
import { type TransferOptions, usualPatienceMs } from './transfer-options.ts';

const longestDelayMs = 5_000;
const firstDelayMs = 200;

/**
 * Repeats `attempt` after interruptions until it succeeds, or nothing has moved for the patience of the caller.
 * @param position what has been transferred so far, in bytes: patience begins again whenever it has changed
 */
export async function outlast<T>(
  attempt: () => Promise<T>,
  position: () => number,
  { signal, patienceMs = usualPatienceMs }: TransferOptions,
): Promise<T> {
  let [last, since, failures] = [position(), Date.now(), 0];
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPlatformError(error) || !isInterruption(error)) throw error;
      if (position() !== last) [last, since, failures] = [position(), Date.now(), 0];
      else if (Date.now() - since >= patienceMs) throw error;
      failures += 1;
      await pause(Math.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** failures), signal);
    }
  }
}

/** 423: the platform has not noticed yet that the last connection is gone; 409: it has meanwhile. */
function isInterruption(error: PlatformError): boolean {
  return isPassing(error) || ['upload_in_progress', 'upload_offset_mismatch'].includes(error.code);
}
