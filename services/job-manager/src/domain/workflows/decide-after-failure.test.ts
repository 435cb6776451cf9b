import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { decideAfterFailure } from './decide-after-failure.ts';

const step: StoredStep = {
  name: 'compress',
  uses: 'gzip',
  with: {},
  retry: { attempts: 3, delaySeconds: 7 },
  timeoutSeconds: 60,
};

describe('after a failure', () => {
  it('a step is tried again, with its delay, until its attempts are used up', () => {
    const error = new CodedError('storage_full');
    expect(decideAfterFailure(step, 1, error)).toEqual({ kind: 'retry', afterSeconds: 7 });
    expect(decideAfterFailure(step, 2, error)).toEqual({ kind: 'retry', afterSeconds: 7 });
    expect(decideAfterFailure(step, 3, error)).toEqual({ kind: 'fail' });
  });

  it('what can never succeed fails at once', () => {
    expect(decideAfterFailure(step, 1, new CodedError('expression_invalid'))).toEqual({ kind: 'fail' });
    expect(decideAfterFailure(step, 1, new CodedError('path_invalid'))).toEqual({ kind: 'fail' });
  });
});
