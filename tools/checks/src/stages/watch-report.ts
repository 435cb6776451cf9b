import { stat } from 'node:fs/promises';

/** Fires when a program that has written its report does not end. */
export interface ReportWatch extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Watches for the report of a program, which then may take `patienceMs` to end. vitest waits without an end for a process that a failed
 * test has left behind, if it has the error output of its worker.
 */
export function watchReport(file: string, { patienceMs = 60_000, intervalMs = 1_000 } = {}): ReportWatch {
  const late = new AbortController();
  let deadline: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0) deadline ??= setTimeout(() => late.abort(), patienceMs);
  };
  const timer = setInterval(() => void look(), intervalMs);
  return {
    signal: late.signal,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clearTimeout(deadline);
    },
  };
}
