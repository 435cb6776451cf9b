import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@waybill/service-kit/telemetry/logger';

/** Does something again and again with pauses; a failure is logged, and ends nothing. Answers when it was stopped. */
export async function repeatUntilStopped(
  { pauseMs, signal, logger }: { pauseMs: number; signal: AbortSignal; logger: Logger },
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await attempt(logger, work);
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Does something that will be tried again; a failure is logged. */
export async function attempt(logger: Logger, work: () => Promise<void>, storageClass?: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.error({ err: error, storageClass }, 'sweeping failed: it will be tried again');
  }
}
