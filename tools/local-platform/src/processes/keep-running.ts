import { setTimeout as sleep } from 'node:timers/promises';

const firstDelayMs = 250;
const longestDelayMs = 15_000;
/** A process that ran for this long is restarted without a growing delay. */
const healthyAfterMs = 30_000;

/** Something that runs until it ends or is stopped; `OwnedProcess` is one. */
export interface Running {
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stop(): Promise<void>;
}

/** What to keep running. */
export interface KeepRunningOptions {
  name: string;
  start(): Promise<Running>;
  /** Called when it ends unexpectedly and when it is restarted. */
  report(line: string): void;
}

/**
 * Starts something and, whenever it ends unexpectedly, restarts it after a delay that doubles from 0.25 to 15
 * seconds. Rejects when the first start fails. Disposing of it stops it.
 */
export async function keepRunning({ name, start, report }: KeepRunningOptions): Promise<AsyncDisposable> {
  const stopping = new AbortController();
  let current: Running | undefined = await start();

  const startAgain = async (): Promise<void> => {
    try {
      current = await start();
      if (stopping.signal.aborted) await current.stop();
      else report(`${name} runs again`);
    } catch (err) {
      current = undefined;
      report(`${name} could not be started again: ${err instanceof Error ? err.message : String(err)}`);
    }
  };
  const watch = async (): Promise<void> => {
    let delayMs = firstDelayMs;
    while (!stopping.signal.aborted) {
      const startedAtMs = Date.now();
      const end = await current?.exited;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAtMs > healthyAfterMs) delayMs = firstDelayMs;
      if (end !== undefined) report(`${name} ended (${end.signal ?? `exit code ${end.code}`}): starting it again`);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      if (!stopping.signal.aborted) await startAgain();
    }
  };
  const watching = watch();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await current?.stop();
      await watching;
    },
  };
}
