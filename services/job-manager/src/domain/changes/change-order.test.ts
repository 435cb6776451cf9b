import { jobIdSchema } from '@waybill/contracts/values/job-id';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChangeOrder } from './change-order.ts';
import type { ChangeBatch, StatusChange } from './status-change.ts';

function change(id: number): StatusChange {
  return {
    id,
    jobId: jobIdSchema.parse(1),
    from: 'SUBMITTED',
    to: 'RUNNING',
    transition: 'start',
    at: new Date(0),
    queue: 'q',
    contract: 'c',
    action: 'a',
  };
}

/** What a snapshot shows; by default no transaction was running. */
function batch(ids: readonly number[], oldestRunning = 100n, nextTransaction = 100n): ChangeBatch {
  return { changes: ids.map(change), oldestRunning, nextTransaction };
}

const taken = (order: ChangeOrder, given: ChangeBatch, now = 0): number[] => order.take(given, now).map(({ id }) => id);

it('hands out what happens after its beginning', () => {
  const order = new ChangeOrder(batch([5, 6, 7]), 1_000);
  expect(taken(order, batch([5, 6, 7, 8, 9]))).toEqual([8, 9]);
  expect(order.position).toBe(9);
  expect(taken(order, batch([]))).toEqual([]);
});

it('waits for a number whose transaction may still commit', () => {
  const order = new ChangeOrder(batch([1]), 1_000);
  // Transaction 100 is running.
  expect(taken(order, batch([1, 3, 4], 100n, 105n))).toEqual([]);
  expect(taken(order, batch([3, 4], 100n, 107n))).toEqual([]);
  expect(taken(order, batch([2, 3, 4], 107n, 107n))).toEqual([2, 3, 4]);
});

it('does not wait for a number whose transaction was rolled back', () => {
  const order = new ChangeOrder(batch([1]), 1_000);
  expect(taken(order, batch([1, 3], 100n, 105n))).toEqual([]);
  // Others run by now, but all that ran then have ended.
  expect(taken(order, batch([3, 4], 105n, 109n))).toEqual([3, 4]);
});

it('hands out a change late whose transaction takes too long, and nothing waits for it', () => {
  const order = new ChangeOrder(batch([1]), 1_000);
  expect(taken(order, batch([1, 3], 100n, 105n), 0)).toEqual([]);
  expect(taken(order, batch([3, 4], 100n, 106n), 1_001)).toEqual([3, 4]);
  expect(order.late).toEqual([2]);
  expect(taken(order, batch([2, 5], 106n, 106n), 1_300)).toEqual([2, 5]);
  expect(order.late).toEqual([]);
});

it('forgets a late number when its transaction was rolled back', () => {
  const order = new ChangeOrder(batch([1]), 1_000);
  taken(order, batch([1, 3], 100n, 105n), 0);
  taken(order, batch([3], 100n, 105n), 1_001);
  taken(order, batch([], 105n, 105n), 1_300);
  expect(order.late).toEqual([]);
});

it('remembers what was missing at its beginning: it is news when it appears', () => {
  const order = new ChangeOrder(batch([4, 7], 100n, 105n), 1_000);
  expect(taken(order, batch([4, 7], 100n, 105n))).toEqual([]);
  expect(taken(order, batch([5, 7, 8], 105n, 105n))).toEqual([5, 8]);
});

it('is not stopped by a sequence that jumps', () => {
  const order = new ChangeOrder(batch([1]), 1_000);
  taken(order, batch([1, 1_000_000_000], 100n, 105n));
  expect(taken(order, batch([1_000_000_000], 105n, 105n))).toEqual([1_000_000_000]);
});

it('hands out each committed change once, and in order while no transaction is too slow', () => {
  const steps = fc.array(fc.record({ id: fc.nat(30), commits: fc.boolean() }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(steps, (endings) => {
      // Every number from 1 to 31 is drawn by its own transaction; they end in any order.
      const order = new ChangeOrder(batch([], 0n, 0n), 1_000);
      const running = new Set(Array.from({ length: 31 }, (_, index) => index + 1));
      const committed: number[] = [];
      const seen: number[] = [];
      const poll = (): void => {
        const oldest = BigInt(Math.min(...running, 32));
        const visible = committed.filter((id) => id > order.position).toSorted((one, other) => one - other);
        seen.push(...taken(order, batch(visible, oldest, 32n)));
      };
      for (const { id, commits } of [...endings, ...[...running].map((id) => ({ id: id - 1, commits: true }))]) {
        if (!running.delete(id + 1)) continue;
        if (commits) committed.push(id + 1);
        poll();
      }
      poll();
      expect(seen).toEqual(committed.toSorted((one, other) => one - other));
    }),
  );
});
