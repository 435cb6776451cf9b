import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids that connect log lines with one request, session, job or dataflow. */
export interface Correlation {
  requestId?: string;
  sessionId?: string;
  jobId?: number;
  userName?: string;
  dfiid?: string;
  lcid?: string;
}

const storage = new AsyncLocalStorage<Readonly<Correlation>>();

/** Runs `work`; these ids and those of the caller are added to every log line. */
export function withCorrelation<T>(correlation: Readonly<Correlation>, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...correlation }, work);
}

/** The current ids. */
export function currentCorrelation(): Readonly<Correlation> {
  return storage.getStore() ?? {};
}
