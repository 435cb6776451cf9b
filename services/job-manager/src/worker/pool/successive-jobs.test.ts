import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimed, poolRig, settle } from '../../../tests/pool-rig.ts';
import type { ClaimedJob } from '../../domain/jobs/job-ledger.ts';
import type { JobPool } from './job-pool.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a pool, from one job to the next,', () => {
  it('runs jobs one after the other for a message, as many as it may', async () => {
    const { pool, runs } = poolRig([1, 2, 3, 4]);
    const taken = vi.fn<(jobs: readonly ClaimedJob[]) => void>();
    void pool.take(3).then(taken);
    for (let index = 0; index < 3; index += 1) {
      await settle();
      expect(runs.map(({ id }) => id)).toEqual([1, 2, 3].slice(0, index + 1));
      expect(taken).not.toHaveBeenCalled();
      runs[index]?.end();
    }
    await settle();
    expect(taken).toHaveBeenCalledWith([claimed(1), claimed(2), claimed(3)]);
    expect(runs).toHaveLength(3);
    expect(pool.taken).toBe(3);
    await pool.fill();
    expect(pool.taken).toBe(3);
  });

  it.each([
    ['a message', (pool: JobPool) => pool.take(100)],
    ['no message', (pool: JobPool) => pool.fill()],
  ])('claims the next job for %s while the end of the last is written, and renews both', async (_for, start) => {
    const renewed: number[] = [];
    const { pool, runs, why } = poolRig([1, 2, 3], {
      capacity: 1,
      renew: (holds) => {
        renewed.push(...holds.map(({ jobId }) => jobId));
        return Promise.resolve(holds);
      },
    });
    void start(pool);
    await settle();
    runs[0]?.finish();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2]);
    expect(pool.running).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([renewed, why(1), why(2)]).toEqual([[1, 2], undefined, undefined]);
  });

  it.each([
    ['a message', (pool: JobPool) => pool.take(100)],
    ['no message', (pool: JobPool) => pool.fill()],
  ])('claims for %s once more when an end is written: it may have made room in a queue', async (_for, start) => {
    let room = true;
    const waiting = [1, 2];
    const { pool, runs } = poolRig([], {
      capacity: 1,
      claim: () => Promise.resolve(room ? waiting.splice(0, 1).map(claimed) : []),
    });
    void start(pool);
    await settle();
    room = false;
    runs[0]?.finish();
    await settle();
    expect(runs).toHaveLength(1);
    room = true;
    runs[0]?.end();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('has no more ends to write at a time than its capacity, and goes on when one is written', async () => {
    const { pool, runs } = poolRig([1, 2, 3], { capacity: 1 });
    void pool.fill();
    await settle();
    runs[0]?.finish();
    await settle();
    runs[1]?.finish();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2]);
    runs[1]?.end();
    await settle();
    expect(runs.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('says that there may be more ten times a second at most while it has no capacity', async () => {
    const waiting = Array.from({ length: 500 }, (_, index) => index + 1);
    const { pool, runs, onMore } = poolRig(waiting, { capacity: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    void pool.take(400);
    for (let index = 0; index < 300; index += 1) {
      await settle();
      runs[index]?.end();
    }
    expect(runs.length).toBeGreaterThanOrEqual(300);
    expect(onMore.mock.calls.length).toBeLessThan(10);
  });
});
