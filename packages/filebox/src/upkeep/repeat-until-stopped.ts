import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@waybill/service-kit/telemetry/logger';

/** Repeats work with pauses until it is stopped. A failure is logged and does not end it. Resolves after the stop. */
export async function repeatUntilStopped(
  { pauseMs, signal, logger }: { pauseMs: number; signal: AbortSignal; logger: Logger },
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await attempt(logger, work);
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Runs work that will be repeated anyway; a failure is logged. */
export async function attempt(logger: Logger, work: () => Promise<void>, storageClass?: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.error({ err: error, storageClass }, 'sweeping failed and will be repeated');
  }
}
