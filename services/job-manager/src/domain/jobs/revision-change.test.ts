import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { describe, expect, it } from 'vitest';
import type { StepProgress } from './job-ledger.ts';
import type { JobWorkflow } from './job.ts';
import { continuationOf, describeRevisionChange } from './revision-change.ts';

/** A workflow whose steps are `name` or `name:task`. */
function workflow(templateRevision: number, steps: readonly string[], text = 'x'): JobWorkflow {
  return {
    templateId: 1,
    templateName: 'w',
    templateRevision,
    templateDescription: '',
    steps: steps.map((step): StoredStep => {
      const [name = '', task] = step.split(':');
      const uses = task === 'gzip' ? 'gzip' : 'write-file';
      return { name, uses, with: { text }, retry: { attempts: 1, delaySeconds: 0 }, timeoutSeconds: 1 };
    }),
  };
}

/** The progress of a job whose last step has failed. */
function progress(names: readonly string[]): StepProgress[] {
  return names.map((name, position) => ({
    position,
    name,
    task: 'write-file',
    status: position === names.length - 1 ? 'ERROR' : 'COMPLETED',
    attempts: 1,
    outputs: {},
    error: '',
    inputs: {},
    log: [],
  }));
}

const before = workflow(3, ['a', 'b', 'c']);

describe('a job that continues with another revision', () => {
  it.each([
    ['the failed step corrected', workflow(4, ['a', 'b', 'c'], 'corrected'), 1, true],
    ['only later steps changed', workflow(4, ['a', 'b', 'd', 'e']), 1, false],
    ['a step inserted before the failed one', workflow(4, ['a', 'x', 'b', 'c']), 1, true],
    ['another task in the failed step', workflow(4, ['a', 'b:gzip', 'c']), 1, true],
  ])('may have %s', (_, now, position, isChanged) => {
    expect(continuationOf({ before, now }, progress(['a', 'b']))).toMatchObject({ position, isChanged });
  });

  it('may have any steps if none is completed', () => {
    const now = workflow(4, ['z:gzip']);
    expect(continuationOf({ before, now }, [])).toEqual({ position: 0, name: 'z', task: 'gzip', isChanged: true });
  });

  it.each([
    ['without a completed step', ['b', 'c'], "step 1, 'a' with the task write-file, is completed, and there it is 'b'"],
    ['with the completed steps in another order', ['b', 'a', 'c'], "there it is 'b'"],
    ['with another task in a completed step', ['a:gzip', 'b'], "there it is 'a' with the task gzip"],
    [
      'with fewer steps than are completed',
      ['a'],
      "step 2, 'b' with the task write-file, is completed, and it has fewer",
    ],
    ['with nothing left to do', ['a', 'b'], 'nothing is left to do'],
  ])('is refused a revision %s', (_, steps, why) => {
    const attempt = () => continuationOf({ before, now: workflow(4, steps) }, progress(['a', 'b', 'c']));
    expect(attempt).toThrow(expect.objectContaining({ code: 'job_revision_refused' }));
    expect(attempt).toThrow(why);
  });
});

it('describes the change of a revision', () => {
  expect(describeRevisionChange({ before, now: before })).toBeUndefined();
  expect(describeRevisionChange({ before, now: workflow(5, []) })).toBe('with revision 5 of w (before: 3)');
  expect(describeRevisionChange({ before, now: { ...workflow(1, []), templateId: 2, templateName: 'v' } })).toBe(
    'with revision 1 of v (before: 3 of w)',
  );
});
