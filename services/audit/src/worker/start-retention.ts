import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * Archives what is older than `days` now and every hour. A failure is reported, and the attempt repeated. Disposing of it
 * waits for the file that is being written.
 */
export function startRetention(options: {
  readonly days: number;
  archive(due: { until: Date; days: number; signal: AbortSignal }): Promise<number>;
  onArchived(records: number): void;
  onFailure(error: unknown): void;
}): AsyncDisposable {
  const { days, archive, onArchived, onFailure } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const records = await archive({ until: new Date(Date.now() - days * dayMs), days, signal });
        if (records > 0) onArchived(records);
      } catch (error) {
        onFailure(error);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}
