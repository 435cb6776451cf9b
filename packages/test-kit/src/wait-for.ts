import { setTimeout as delay } from 'node:timers/promises';

/** What is waited for, in words for the failure, and how long. */
export interface WaitForOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/**
 * Asks `condition` again and again and resolves with its first truthy value. A condition that throws counts as not yet
 * true; what it threw last becomes the cause of the error that ends the wait after `timeoutMs`.
 */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { what, timeoutMs = 60_000, intervalMs = 20 }: WaitForOptions,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const value = await condition();
      if (value) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(intervalMs);
  } while (performance.now() < deadline);
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause });
}
