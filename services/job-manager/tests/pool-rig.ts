import { vi } from 'vitest';
import { Interruption } from '../src/domain/jobs/interruption.ts';
import type { ClaimedJob } from '../src/domain/jobs/job-ledger.ts';
import { JobPool, type JobPoolOptions } from '../src/worker/pool/job-pool.ts';
import { testJob } from './test-job.ts';

/** A run of a job in a pool under test. */
export interface Run {
  readonly id: number;
  readonly signal: AbortSignal;
  /** Its task ends; its end is to be written down. */
  readonly finish: () => void;
  readonly end: () => void;
}

/** A claimed job with this number. */
export function claimed(id: number): ClaimedJob {
  const job = testJob({ id });
  return { job, hold: { jobId: job.id, fence: '1' }, begunBefore: false, suspect: false, lossesAlone: 0 };
}

/** A pool over a list of waiting jobs, with a hand on every run. */
export function poolRig(waiting: number[], overrides: Partial<JobPoolOptions> = {}) {
  const runs: Run[] = [];
  const claims: number[] = [];
  const onMore = vi.fn<() => void>();
  const pool = new JobPool({
    capacity: 2,
    leaseMs: 3_000,
    claim: (limit) => {
      claims.push(limit);
      return Promise.resolve(waiting.splice(0, limit).map(claimed));
    },
    renew: (holds) => Promise.resolve(holds),
    run: ({ job }, signal, finish) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      runs.push({ id: job.id, signal, finish, end: resolve });
      return promise;
    },
    onMore,
    onTrouble: () => {},
    ...overrides,
  });
  const why = (id: number): unknown => {
    const reason: unknown = runs.find((run) => run.id === id)?.signal.reason;
    return reason instanceof Interruption ? reason.why : undefined;
  };
  return { pool, runs, claims, onMore, why };
}

/** Lets everything happen that waits for no clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}
