import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimed, poolRig, settle } from '../../../tests/pool-rig.ts';
import type { ClaimedJob } from '../../domain/jobs/job-ledger.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the pool of jobs', () => {
  it('runs one job for a message, until it has ended', async () => {
    const { pool, runs } = poolRig([7]);
    const taken = vi.fn<(jobs: readonly ClaimedJob[]) => void>();
    void pool.take().then(taken);
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([7]);
    expect(taken).not.toHaveBeenCalled();
    runs[0]?.end();
    await settle();
    expect(taken).toHaveBeenCalledWith([claimed(7)]);
    expect(pool.running).toBe(0);
  });

  it('ends a message at once that finds no job, or no capacity', async () => {
    const { pool, claims } = poolRig([1, 2]);
    const running = [pool.take(), pool.take()];
    expect(await pool.take()).toEqual([]);
    await settle();
    expect(claims).toEqual([2]);
    expect(running).toHaveLength(2);
    const { pool: idle } = poolRig([]);
    expect(await idle.take()).toEqual([]);
  });

  it('claims for all messages that come together in one statement, and for later ones in the next', async () => {
    const gate = Promise.withResolvers<void>();
    const limits: number[] = [];
    const { pool } = poolRig([], {
      capacity: 10,
      claim: async (limit) => {
        limits.push(limit);
        await gate.promise;
        return [];
      },
    });
    const first = [pool.take(), pool.take()];
    await settle();
    const later = [pool.take(), pool.take(), pool.take()];
    await settle();
    gate.resolve();
    await Promise.all([...first, ...later]);
    expect(limits).toEqual([2, 3]);
  });

  it('says that there may be more when it has claimed a job, and when one has ended', async () => {
    const { pool, runs, onMore } = poolRig([1]);
    void pool.take();
    await settle();
    expect(onMore).toHaveBeenCalledTimes(1);
    runs[0]?.end();
    await settle();
    expect(onMore).toHaveBeenCalledTimes(2);
  });

  it('fills its capacity with jobs that no message announced, again whenever one has ended', async () => {
    const { pool, runs } = poolRig([1, 2, 3]);
    expect(await pool.fill()).toBe(2);
    expect(await pool.fill()).toBe(0);
    runs[0]?.end();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('continues claiming after a failed claim', async () => {
    let fails = true;
    const { pool, runs } = poolRig([], {
      claim: () => (fails ? Promise.reject(new Error('no database')) : Promise.resolve([claimed(1)])),
      capacity: 1,
    });
    expect(await pool.take()).toEqual([]);
    fails = false;
    void pool.take();
    await settle();
    expect(runs).toHaveLength(1);
  });

  it('interrupts a job whose lease another worker has', async () => {
    const { pool, why } = poolRig([1, 2], {
      renew: (holds) => Promise.resolve(holds.filter(({ jobId }) => jobId !== 1)),
    });
    await pool.fill();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([why(1), why(2)]).toEqual(['lost', undefined]);
  });

  it('keeps the jobs whose leases it renews', async () => {
    const { pool, why } = poolRig([1]);
    await pool.fill();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(why(1)).toBeUndefined();
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no database'))],
    ['is not answered', () => new Promise<never>(() => {})],
  ])('interrupts its jobs before their leases end when the renewal %s', async (_what, renew) => {
    const { pool, why } = poolRig([1], { renew });
    await pool.fill();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(why(1)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(400);
    expect(why(1)).toBe('lost');
  });

  it('counts the time of a lease from before the claim was sent', async () => {
    const { pool, why } = poolRig([1], {
      renew: () => new Promise<never>(() => {}),
      claim: async () => {
        await vi.advanceTimersByTimeAsync(2_000);
        return [claimed(1)];
      },
      capacity: 1,
    });
    await pool.fill();
    await vi.advanceTimersByTimeAsync(900);
    expect(why(1)).toBe('lost');
  });

  it('finds out which jobs it still holds when it is told that it may have missed something', async () => {
    const { pool, why } = poolRig([1, 2], {
      renew: (holds) => Promise.resolve(holds.filter(({ jobId }) => jobId !== 2)),
    });
    await pool.fill();
    pool.renew();
    await settle();
    expect([why(1), why(2)]).toEqual([undefined, 'lost']);
  });

  it('interrupts the job that was aborted and no other', async () => {
    const { pool, why } = poolRig([1, 2]);
    await pool.fill();
    pool.interrupt(2);
    expect([why(1), why(2)]).toEqual([undefined, 'lost']);
  });

  it('at the stop claims no more, releases its jobs and waits for that', async () => {
    const { pool, runs, why } = poolRig([1, 2, 3]);
    await pool.fill();
    let stopped = false;
    const stop = pool[Symbol.asyncDispose]().then(() => {
      stopped = true;
    });
    await settle();
    expect([why(1), why(2), stopped]).toEqual(['stopping', 'stopping', false]);
    for (const { end } of runs) end();
    await stop;
    expect(runs).toHaveLength(2);
    expect(await pool.take()).toEqual([]);
    expect(await pool.fill()).toBe(0);
  });

  it('hands back what a claim brings that was under way at the stop', async () => {
    const gate = Promise.withResolvers<ClaimedJob[]>();
    const { pool, runs, why } = poolRig([], { claim: () => gate.promise, capacity: 1 });
    void pool.take();
    await settle();
    const stop = pool[Symbol.asyncDispose]();
    gate.resolve([claimed(9)]);
    await settle();
    expect(why(9)).toBe('stopping');
    runs[0]?.end();
    await stop;
  });
});
