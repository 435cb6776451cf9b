import type { QueueSettings } from '../domain/job-ledger.ts';
import type { JobRegister } from '../domain/job-register.ts';
import type { JobManagerEvents } from '../events.ts';
import type { JobPool } from './job-pool.ts';

/** The parameters of a reconciler. */
export interface ReconcilerOptions {
  readonly register: Pick<JobRegister, 'suspendOutside'>;
  readonly pool: JobPool;
  readonly queues: () => Promise<QueueSettings[]>;
  readonly events: JobManagerEvents;
  readonly intervalMs: number;
}

/**
 * Periodically handles what no message announces: jobs whose message was lost, jobs of killed workers, jobs whose
 * delay is over, and queues that were disabled or enabled. So PostgreSQL alone is enough for every job to run
 * eventually.
 */
export function startReconciler({ register, pool, queues, events, intervalMs }: ReconcilerOptions): AsyncDisposable {
  let round: Promise<void> | undefined;
  const reconcile = async (): Promise<void> => {
    try {
      const enabled = (await queues()).filter((queue) => queue.enabled).map(({ name }) => name);
      const suspended = await register.suspendOutside(enabled, 'The queue is disabled, or is not there any more');
      if (suspended > 0) events.jobsSuspended(suspended);
      pool.wake();
    } catch (error) {
      events.workerTroubled(error, 'reconcile');
    }
  };
  const timer = setInterval(() => {
    round ??= reconcile().finally(() => {
      round = undefined;
    });
  }, intervalMs);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await round;
    },
  };
}
