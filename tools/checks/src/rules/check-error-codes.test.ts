import { describe, expect, it } from 'vitest';
import { checkErrorCodes } from './check-error-codes.ts';

function messages(path: string, text: string): string[] {
  return checkErrorCodes([{ path, text }], ['path_invalid']).map(({ message }) => message);
}

describe('the check of error codes', () => {
  it('accepts a code that is raised', () => {
    expect(messages('packages/filebox/src/a.ts', `throw new CodedError('path_invalid');`)).toEqual([]);
  });

  it.each([
    ['nowhere', 'packages/filebox/src/a.ts', ''],
    ['only in the list itself', 'packages/contracts/src/errors/error-codes.ts', `'path_invalid'`],
    ['only in a test', 'packages/filebox/src/a.test.ts', `'path_invalid'`],
    [
      'only in a switch of statuses',
      'packages/http-kit/src/failures/error-status.ts',
      `    case 'path_invalid':\n      return 400;`,
    ],
  ])('finds a code that is raised %s', (_, path, text) => {
    expect(messages(path, text)).toEqual(['nothing raises path_invalid']);
  });
});
