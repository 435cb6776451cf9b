import { describe, expect, it } from 'vitest';
import { unknownParameters } from './unknown-parameters.ts';

describe('the unknown parameters of a workflow that is being typed', () => {
  it('are named in each section, with the nearest known one', () => {
    const step = { name: 'a', uses: 'gzip', with: { source: 'x', targett: 'y' } };
    const message = 'the task gzip has no parameter targett; did you mean target?';
    expect(unknownParameters({ name: 'one', steps: [step], finally: [{ ...step, with: {} }, step] })).toEqual([
      { field: 'steps[0].with.targett', message },
      { field: 'finally[1].with.targett', message },
    ]);
  });

  it.each([
    ['of a task that there is not', { steps: [{ uses: 'constructor', with: { a: 1 } }] }],
    ['of a step that is not written yet', { steps: [null, 'x', {}, { uses: 'gzip' }, { uses: 'gzip', with: null }] }],
    ['of what is no workflow', 'x'],
    ['of nothing', null],
    ['of steps that are no list', { steps: { uses: 'gzip', with: { a: 1 } } }],
    ['of a task whose parameters are known', { steps: [{ uses: 'gzip', with: { source: 'a', target: 'b' } }] }],
  ])('are none %s', (_what, template) => expect(unknownParameters(template)).toEqual([]));
});
