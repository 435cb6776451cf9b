/** Reports checkpoints of the audit log from time to time. */
export interface CheckpointLog extends Disposable {
  /** The latest checkpoint, a signed note. */
  note(checkpoint: string): void;
}

/**
 * Reports the latest checkpoint at intervals, if it is a new one: logs that are stored elsewhere are proof outside of
 * the database. The last one is reported when this is disposed of.
 */
export function startCheckpointLog(intervalMs: number, report: (checkpoint: string) => void): CheckpointLog {
  let latest: string | undefined;
  let reported: string | undefined;
  const reportNew = (): void => {
    if (latest === undefined || latest === reported) return;
    reported = latest;
    report(latest);
  };
  const timer = setInterval(reportNew, intervalMs);
  return {
    note: (checkpoint) => {
      latest = checkpoint;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      reportNew();
    },
  };
}
