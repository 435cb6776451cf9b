import { waitSpecification, waitUntilSpecification } from '@waybill/contracts/tasks/wait-specifications';
import type { Waiting } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';

/** Waits for some time from its first attempt on. */
export const waitTask = defineTask({
  ...waitSpecification,
  run: async ({ seconds }, { waiting }) => waitUntil(new Date(Date.now() + seconds * 1_000), waiting),
});

/** Waits until a time. */
export const waitUntilTask = defineTask({
  ...waitUntilSpecification,
  run: async ({ time }, { waiting }) => waitUntil(new Date(time), waiting),
});

/** The time that the first attempt has found counts. */
function waitUntil(first: Date, waiting: Waiting): { until: string } {
  const until = waiting.state?.until ?? first;
  if (!isWaitOver(until)) waiting.suspend({ kind: 'time', until, message: `Waiting until ${shownTime(until)}` });
  return { until: until.toISOString() };
}

/** The clock of PostgreSQL, which ends the wait, can be ahead of the one here. */
const clockDifferenceMs = 500;

/** Whether a wait that ends at a time is over. */
export function isWaitOver(until: Date): boolean {
  return until.getTime() - Date.now() <= clockDifferenceMs;
}

/** `2026-11-22 20:15:30 (UTC)`. */
export function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} (UTC)`;
}
