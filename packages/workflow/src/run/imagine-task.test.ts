import { workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { workflowTestSchema } from '@waybill/contracts/configuration/workflow-test';
import { describe, expect, it } from 'vitest';
import { dryRun } from './dry-run.ts';

describe('tasks that touch nothing', () => {
  const checks = workflowTemplateSchema.parse({
    name: 'checks',
    steps: [
      { name: 'pause', uses: 'wait', with: { seconds: 90 } },
      { name: 'night', uses: 'wait-until', with: { time: '2026-03-02T00:00:00+01:00' } },
      { name: 'say', uses: 'log', with: { message: '${{ steps.pause.outputs.until }} ${{ file.name }}' } },
      { name: 'refuse', uses: 'raise-error', if: 'file.size == 0', with: { message: '${{ file.name }} is empty' } },
      { name: 'move', uses: 'move', with: { source: '${{ file.path }}', target: '/done/${{ file.name }}' } },
    ],
    onError: [{ name: 'note', uses: 'log', with: { message: '${{ error.step }}: ${{ error.message }}' } }],
  });
  const dry = (given: object) => dryRun(checks, workflowTestSchema.shape.given.parse(given));
  const empty = { file: '/in/a.csv', size: 0, now: '2026-03-01T10:00:00Z' };

  it('run: their outputs and failures decide what comes next', () => {
    const { status, message, steps } = dry(empty);
    expect([status, message]).toEqual(['ERROR', 'a.csv is empty']);
    expect(steps.map((step) => [step.name, step.status, step.outputs])).toEqual([
      ['pause', 'COMPLETED', { until: '2026-03-01T10:01:30.000Z' }],
      ['night', 'COMPLETED', { until: '2026-03-01T23:00:00.000Z' }],
      ['say', 'COMPLETED', { message: '2026-03-01T10:01:30.000Z a.csv' }],
      ['refuse', 'FAILED', {}],
      ['move', 'WAITING', {}],
      ['note', 'COMPLETED', { message: 'refuse: a.csv is empty' }],
    ]);
    expect(steps[3]?.with).toEqual({ message: 'a.csv is empty', code: 'job_step_failed' });
  });

  it('take what they are given in the place of what they do', () => {
    const { status, steps } = dry({ ...empty, steps: { refuse: { outputs: {} }, say: { outputs: { message: 'x' } } } });
    expect(status).toBe('COMPLETED');
    expect(steps[2]?.outputs).toEqual({ message: 'x' });
    expect(dry({ ...empty, size: 1, steps: { say: { error: 'no' } } })).toMatchObject({
      status: 'ERROR',
      message: 'no',
    });
  });

  it('fail for each item of a list for which they say so', () => {
    const each = workflowTemplateSchema.parse({
      name: 'each',
      steps: [
        {
          name: 'refuse',
          uses: 'raise-error',
          foreach: { in: "${{ ['a', 'b'] }}", continueOnError: true },
          with: { message: '${{ item }} is wrong' },
        },
      ],
    });
    const { steps } = dryRun(each, workflowTestSchema.shape.given.parse({}));
    expect(steps[0]?.items?.map(({ status, error }) => [status, error])).toEqual([
      ['FAILED', 'a is wrong'],
      ['FAILED', 'b is wrong'],
    ]);
  });
});
