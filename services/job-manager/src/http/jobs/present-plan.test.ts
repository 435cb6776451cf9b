import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { describe, expect, it } from 'vitest';
import { presentPlan } from './present-plan.ts';

const stored = (name: string, more: Partial<StoredStep> = {}): StoredStep => ({
  name,
  uses: 'log',
  with: {},
  retry: { attempts: 1, delaySeconds: 0 },
  timeoutSeconds: 60,
  ...more,
});

describe('the plan of a job', () => {
  it('has all steps in order, with the section of the step that runs them, their conditions and their items', () => {
    const steps = [
      stored('first', { if: 'variables.on' }),
      stored('pack', { uses: 'workflow' }),
      stored('compress', { uses: 'gzip', parent: 1, foreach: [1, 2] }),
      stored('clean', { uses: 'workflow', section: 'onError' }),
      stored('inner', { parent: 3 }),
      stored('innermost', { parent: 3, section: 'finally' }),
      stored('last', { section: 'finally' }),
    ];
    expect(
      presentPlan(steps).map(({ name, task, section, conditional, foreach }) =>
        [name, task, section, conditional && 'if', foreach && 'foreach'].filter((part) => part !== false).join(' '),
      ),
    ).toEqual([
      'first log steps if',
      'pack workflow steps',
      'pack/compress gzip steps foreach',
      'clean workflow onError',
      'clean/inner log onError',
      'clean/innermost log finally',
      'last log finally',
    ]);
  });
});
