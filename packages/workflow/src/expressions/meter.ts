import { performance } from 'node:perf_hooks';

/** What the evaluation of one expression may cost. */
export const evaluationLimits = {
  /** Passes of loops, and the sizes of what they give: one for each member of a list, and for each 64 characters. */
  cost: 100_000,
  deadlineMs: 250,
  /** Characters of the result, as JSON. */
  resultCharacters: 4 * 1024 * 1024,
} as const;

/** The evaluation took more than it may. */
export class BudgetError extends Error {}

/**
 * Counts what one evaluation costs. Expressions run one at a time and never wait, so one meter serves all of them: `begin` resets
 * it. Besides loops nothing in an expression repeats: its cost is bounded by its length and the size of its values.
 */
export function createMeter(clock: () => number = () => performance.now()) {
  let cost = 0;
  let deadline = Infinity;
  let lastDeadline = Infinity;
  return {
    /** @throws BudgetError if the time of all evaluations is over */
    begin(): void {
      const now = clock();
      if (now > lastDeadline) throw new BudgetError('the time of all expressions together is over');
      cost = 0;
      deadline = Math.min(now + evaluationLimits.deadlineMs, lastDeadline);
    },
    /** Limits the time of all evaluations in `work` together. */
    within<R>(ms: number, work: () => R): R {
      const before = lastDeadline;
      lastDeadline = Math.min(before, clock() + ms);
      try {
        return work();
      } finally {
        lastDeadline = before;
      }
    },
    /** Returns the value of one pass. @throws BudgetError */
    pass(value: unknown): unknown {
      cost += 1 + sizeOf(value);
      if (cost > evaluationLimits.cost) throw new BudgetError('its loops do too much');
      if (clock() > deadline) throw new BudgetError(`it takes longer than ${evaluationLimits.deadlineMs} ms`);
      return value;
    },
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / 64;
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
}
