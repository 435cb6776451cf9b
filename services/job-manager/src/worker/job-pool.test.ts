import { jobIdSchema } from '@waybill/contracts/values/job-id';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Interruption } from '../domain/interruption.ts';
import type { ClaimedJob } from '../domain/job-ledger.ts';
import type { Job } from '../domain/job.ts';
import { JobPool, type JobPoolOptions } from './job-pool.ts';

interface Run {
  readonly id: number;
  readonly signal: AbortSignal;
  readonly end: () => void;
}

function claimed(id: number): ClaimedJob {
  const jobId = jobIdSchema.parse(id);
  // The pool uses only the hold of a job.
  return { job: { id: jobId } as Job, hold: { jobId, fence: '1' }, begunBefore: false };
}

/** A pool over a list of waiting jobs, with a hand on every run. */
function rig(waiting: number[], overrides: Partial<JobPoolOptions> = {}) {
  const runs: Run[] = [];
  const pool = new JobPool({
    capacity: 2,
    leaseMs: 3_000,
    claim: (limit) => Promise.resolve(waiting.splice(0, limit).map(claimed)),
    renew: (holds) => Promise.resolve(holds),
    run: ({ job }, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      runs.push({ id: job.id, signal, end: resolve });
      return promise;
    },
    onTrouble: () => {},
    ...overrides,
  });
  const why = (id: number): unknown => {
    const reason: unknown = runs.find((run) => run.id === id)?.signal.reason;
    return reason instanceof Interruption ? reason.why : undefined;
  };
  return { pool, runs, why };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the pool of jobs', () => {
  it('runs no more jobs than its capacity, and starts the next when one has ended', async () => {
    const { pool, runs } = rig([1, 2, 3]);
    pool.wake();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2]);
    runs[0]?.end();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(pool.running).toBe(2);
  });

  it('reports free capacity', async () => {
    const { pool, runs } = rig([1, 2]);
    pool.wake();
    let room = false;
    void pool.room().then(() => {
      room = true;
    });
    await settle();
    expect(room).toBe(false);
    runs[1]?.end();
    await settle();
    expect(room).toBe(true);
  });

  it('does not miss a wake-up while it is claiming', async () => {
    const waiting: number[] = [];
    let claims = 0;
    const { pool, runs } = rig(waiting, {
      claim: async (limit) => {
        claims += 1;
        const found = waiting.splice(0, limit);
        await Promise.resolve();
        if (claims === 1) waiting.push(7);
        return found.map(claimed);
      },
    });
    pool.wake();
    pool.wake();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([7]);
  });

  it('looks again after a delay', async () => {
    const waiting: number[] = [];
    const { pool, runs } = rig(waiting);
    pool.wakeAfter(5_000);
    waiting.push(1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(runs).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(1);
  });

  it('continues claiming after a failed claim', async () => {
    let fails = true;
    const { pool, runs } = rig([], {
      claim: () => (fails ? Promise.reject(new Error('no database')) : Promise.resolve([claimed(1)])),
      capacity: 1,
    });
    pool.wake();
    await settle();
    fails = false;
    pool.wake();
    await settle();
    expect(runs).toHaveLength(1);
  });

  it('interrupts a job whose lease another worker has', async () => {
    const { pool, why } = rig([1, 2], { renew: (holds) => Promise.resolve(holds.filter(({ jobId }) => jobId !== 1)) });
    pool.wake();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([why(1), why(2)]).toEqual(['lost', undefined]);
  });

  it('interrupts its jobs when it could not renew their leases for as long as they last', async () => {
    const { pool, why } = rig([1], { renew: () => Promise.reject(new Error('no database')) });
    pool.wake();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(why(1)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(why(1)).toBe('lost');
  });

  it('interrupts the job that was aborted and no other', async () => {
    const { pool, why } = rig([1, 2]);
    pool.wake();
    await settle();
    pool.interrupt(2);
    expect([why(1), why(2)]).toEqual([undefined, 'lost']);
  });

  it('at the stop claims no more, releases its jobs and waits for that', async () => {
    const { pool, runs, why } = rig([1, 2, 3]);
    pool.wake();
    await settle();
    let stopped = false;
    const stop = pool[Symbol.asyncDispose]().then(() => {
      stopped = true;
    });
    await settle();
    expect([why(1), why(2), stopped]).toEqual(['stopping', 'stopping', false]);
    for (const { end } of runs) end();
    await stop;
    expect(runs).toHaveLength(2);
    pool.wake();
    await pool.room();
    expect(runs).toHaveLength(2);
  });
});
