import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlannedStep, planNext, staleHandlers } from './plan-next.ts';

type Outcome = 'COMPLETED' | 'FAILED' | 'SKIPPED';

/** Runs steps with these outcomes; returns their positions in the order in which they ran, and the end. */
function play(steps: readonly PlannedStep[], outcomes: readonly Outcome[]) {
  const ended = new Map<number, { status: Outcome }>();
  const order: number[] = [];
  for (;;) {
    const next = planNext(steps, ended);
    if (next.kind === 'end') return { order, failed: next.failed, ended };
    expect(ended.has(next.position)).toBe(false);
    order.push(next.position);
    ended.set(next.position, { status: outcomes[next.position] ?? 'COMPLETED' });
  }
}

const main: PlannedStep = {};
const tolerant: PlannedStep = { continueOnError: true };
const onError: PlannedStep = { section: 'onError' };
const last: PlannedStep = { section: 'finally' };

describe('the order of steps', () => {
  it.each([
    ['all succeed', [main, main, onError, last], [], [0, 1, 3], undefined],
    ['one fails', [main, main, onError, last], ['FAILED'], [0, 2, 3], 0],
    ['one that may fail does', [tolerant, main, onError, last], ['FAILED'], [0, 1, 3], undefined],
    ['the last of them may fail', [main, tolerant], ['COMPLETED', 'FAILED'], [0, 1], undefined],
    ['one is skipped', [main, main], ['SKIPPED'], [0, 1], undefined],
    ['a handler fails', [main, onError, onError, last], ['FAILED', 'FAILED'], [0, 1, 3], 0],
    ['a last step fails', [main, last, last], ['COMPLETED', 'FAILED'], [0, 1], 1],
    ['without handlers', [main, main], ['FAILED'], [0], 0],
  ] satisfies [string, PlannedStep[], Outcome[], number[], number | undefined][])(
    'if %s',
    (_, steps, outcomes, order, failed) => {
      const played = play(steps, outcomes);
      expect(played.order).toEqual(order);
      expect(played.failed).toBe(failed);
    },
  );

  const anyStep = fc.record(
    { section: fc.constantFrom('onError', 'finally'), continueOnError: fc.boolean() } as const,
    { requiredKeys: [] },
  );
  const anyOutcome = fc.constantFrom('COMPLETED', 'FAILED', 'SKIPPED' as const);

  it('runs no step twice, the handlers only after a failure, and begins the last section in any case', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), fc.array(anyOutcome, { maxLength: 12 }), (steps, outcomes) => {
        const { order, failed, ended } = play(steps, outcomes);
        expect(new Set(order).size).toBe(order.length);
        const sectionOf = (position: number): string => steps[position]?.section ?? 'steps';
        const ranks = order.map((position) => ['steps', 'onError', 'finally'].indexOf(sectionOf(position)));
        expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
        const fatal = order.filter(
          (position) => ended.get(position)?.status === 'FAILED' && !steps[position]?.continueOnError,
        );
        expect(failed).toBe(fatal[0]);
        const failedInSteps = fatal.some((position) => sectionOf(position) === 'steps');
        const handled = order.some((position) => sectionOf(position) === 'onError');
        expect(handled).toBe(failedInSteps && steps.some(({ section }) => section === 'onError'));
        const finals = steps.flatMap(({ section }, position) => (section === 'finally' ? [position] : []));
        if (finals[0] !== undefined) expect(order).toContain(finals[0]);
        if (failed === undefined) {
          for (const [position, { section }] of steps.entries())
            if (section !== 'onError') expect(order).toContain(position);
        }
      }),
    );
  });

  it('forgets what ran for an earlier failure once the job was resumed, and nothing else', () => {
    const steps = [main, main, onError, last];
    const resumed = new Map(
      [0, 1, 2, 3].map((position) => [position, { status: position === 1 ? 'ERROR' : 'COMPLETED' }]),
    );
    expect(staleHandlers(steps, resumed)).toEqual([2, 3]);
    const failing = new Map([...resumed, [1, { status: 'FAILED' }]] as const);
    expect(staleHandlers(steps, failing)).toEqual([]);
    const inLastSection = new Map([...resumed, [1, { status: 'COMPLETED' }], [3, { status: 'ERROR' }]] as const);
    expect(staleHandlers(steps, inLastSection)).toEqual([]);
  });
});
