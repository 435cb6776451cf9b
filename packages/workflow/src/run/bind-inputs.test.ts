import { type WorkflowInput, workflowInputsSchema } from '@waybill/contracts/configuration/workflow-template';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { bindInputs } from './bind-inputs.ts';

const inputs: Record<string, WorkflowInput> = workflowInputsSchema.parse({
  folder: { default: '/out' },
  count: { type: 'integer' },
  urgent: { type: 'boolean', default: false },
  names: { type: 'list', default: [] },
  more: { type: 'map', default: {} },
});

describe('the inputs of a job', () => {
  it('are converted from texts, and have their defaults', () => {
    expect(bindInputs(inputs, { count: ' 5 ', urgent: 'true', other: 'kept' })).toEqual({
      folder: '/out',
      count: 5,
      urgent: true,
      names: [],
      more: {},
      other: 'kept',
    });
  });

  it('are refused with all that is missing or wrong', () => {
    const wrong = { folder: 1, urgent: 'yes', names: {}, more: [] };
    try {
      bindInputs(inputs, wrong);
      expect.unreachable();
    } catch (error) {
      expect(isCodedError(error, 'validation_failed') && error.fields.map(({ field }) => field)).toEqual([
        'folder',
        'count',
        'urgent',
        'names',
        'more',
      ]);
    }
  });

  it.each(['1.5', '', 'x', '1e3', '9007199254740993', null, 1.5])('are no integer if they are %j', (count) => {
    expect(() => bindInputs(inputs, { count })).toThrow('count: must be an integer');
  });

  it.each(['__x', 'a-b', '1a', ''])('cannot have the name %j', (name) => {
    expect(workflowInputsSchema.safeParse(Object.fromEntries([[name, {}]])).success).toBe(false);
  });
});
