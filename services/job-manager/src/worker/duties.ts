import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Something that a process does again and again. */
export interface Duty {
  readonly name: string;
  readonly intervalMs: number;
  /** The signal is aborted when the process stops. */
  work(stopping: AbortSignal): Promise<unknown>;
}

/** Where the duties are reported. */
export interface DutyReports {
  readonly metrics: Metrics;
  onFailure(error: unknown, duty: string): void;
}

/**
 * Does each duty at its interval, never twice at a time. Each fails alone: it is reported, counted, and tried again, and the
 * others go on. Disposing waits for those under way.
 */
export function startDuties(duties: readonly Duty[], { metrics, onFailure }: DutyReports): AsyncDisposable {
  const failures = metrics.counter({
    name: 'waybill_duty_failures_total',
    help: 'Failed rounds of what the job manager does again and again, by duty',
    labels: ['duty'],
  });
  const doneAt = new Map(duties.map(({ name }) => [name, performance.now()]));
  metrics.gauge({
    name: 'waybill_duty_age_seconds',
    help: 'Time since a duty was last done without a failure',
    labels: ['duty'],
    collect: (gauge) => {
      for (const [duty, at] of doneAt) gauge.set({ duty }, (performance.now() - at) / 1_000);
    },
  });
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  const round = async ({ name, work }: Duty): Promise<void> => {
    try {
      await work(stopping.signal);
      doneAt.set(name, performance.now());
    } catch (error) {
      failures.inc({ duty: name });
      onFailure(error, name);
    }
  };
  const timers = duties.map((duty) =>
    setInterval(() => {
      if (underWay.has(duty.name)) return;
      underWay.set(
        duty.name,
        round(duty).finally(() => underWay.delete(duty.name)),
      );
    }, duty.intervalMs).unref(),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      timers.forEach(clearInterval);
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}
