import { setTimeout as delay } from 'node:timers/promises';

/** What is waited for, in words for the failure, and how long. */
export interface WaitForOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  /** The pause between two questions. Default: 20 ms at first, then a tenth of the time waited, at most 150 ms. */
  readonly intervalMs?: number;
}

/** Questions cost processor time, which what is waited for needs as well. */
const [shortestPauseMs, longestPauseMs] = [20, 150];

/**
 * Asks `condition` again and again and resolves with its first truthy value. A condition that throws counts as not yet
 * true; what it threw last becomes the cause of the error that ends the wait after `timeoutMs`.
 */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { what, timeoutMs = 60_000, intervalMs }: WaitForOptions,
): Promise<NonNullable<Value>> {
  const begunAt = performance.now();
  const deadline = begunAt + timeoutMs;
  let cause: unknown;
  do {
    try {
      const value = await condition();
      if (value) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(intervalMs ?? pauseAfter(performance.now() - begunAt));
  } while (performance.now() < deadline);
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause });
}

function pauseAfter(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 10, shortestPauseMs), longestPauseMs);
}
