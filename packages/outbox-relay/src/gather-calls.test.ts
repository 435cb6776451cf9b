import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { gatherCalls } from './gather-calls.ts';

it('works once for the calls of a gathering time, and again for later ones', async () => {
  const work = vi.fn<() => Promise<void>>().mockResolvedValue();
  await using gathered = gatherCalls(work, 5);
  gathered.call();
  gathered.call();
  expect(work).not.toHaveBeenCalled();
  await expect.poll(() => work.mock.calls.length).toBe(1);
  gathered.call();
  await expect.poll(() => work.mock.calls.length).toBe(2);
});

it('completes requested work when it is disposed of', async () => {
  let done = 0;
  const gathered = gatherCalls(async () => {
    await delay(5);
    done += 1;
  }, 60_000);
  gathered.call();
  await gathered[Symbol.asyncDispose]();
  expect(done).toBe(1);
  await gathered[Symbol.asyncDispose]();
  expect(done).toBe(1);
});

it('does nothing without a call', async () => {
  const work = vi.fn<() => Promise<void>>().mockResolvedValue();
  await gatherCalls(work, 0)[Symbol.asyncDispose]();
  expect(work).not.toHaveBeenCalled();
});
