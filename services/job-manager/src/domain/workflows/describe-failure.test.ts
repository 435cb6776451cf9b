import { CodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';

describe('the status message of a failure', () => {
  it('names the step, the reason and the path concerned', () => {
    const error = new CodedError('file_not_found', { names: { path: '/inbox/a.csv' } });
    expect(describeFailure('compress', error)).toBe("Step 'compress' failed: The file does not exist: /inbox/a.csv");
  });

  it('does not repeat a path that the reason names already', () => {
    const error = new CodedError('path_not_found', { detail: 'There is no /a', names: { path: '/a' } });
    expect(describeFailure('write', error)).toBe("Step 'write' failed: There is no /a");
  });

  it('says nothing of what we did not expect, which may hold anything', () => {
    expect(describeFailure('write', new Error('password=secret'))).not.toContain('secret');
  });
});
