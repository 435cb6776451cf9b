import { AsyncLocalStorage } from 'node:async_hooks';

/** What ties log lines to one request, session, job or dataflow. */
export interface Correlation {
  requestId?: string;
  sessionId?: string;
  jobId?: number;
  userName?: string;
  dfiid?: string;
  lcid?: string;
}

const storage = new AsyncLocalStorage<Readonly<Correlation>>();

/** Runs `work` with these ids, and those around it, on every log line. */
export function withCorrelation<T>(correlation: Readonly<Correlation>, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...correlation }, work);
}

/** The ids in force here. */
export function currentCorrelation(): Readonly<Correlation> {
  return storage.getStore() ?? {};
}
