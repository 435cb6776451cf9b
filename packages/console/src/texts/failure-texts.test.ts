import { type ErrorCode, errorCodes } from '@waybill/contracts/errors/error-codes';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureText, setFailureTexts } from './failure-texts.ts';
import type { FailureTexts } from './translation.ts';

it('shows a failure as the platform words it, where the language has no other words', () => {
  expect(failureText(undefined, 'No write permission')).toBe('No write permission');
  expect(failureText('password_refused', 'Not allowed', 'too short')).toBe('Not allowed (too short)');
});

describe('in a language that has texts for failures', () => {
  beforeAll(() => {
    const codes = Object.keys(errorCodes) as ErrorCode[];
    const texts = Object.fromEntries(codes.map((code) => [code, `[${code}]`])) as FailureTexts;
    setFailureTexts({ titles: errorCodes, texts });
  });

  it.each([
    ['no_write_permission', 'No write permission', undefined, '[no_write_permission]'],
    ['job_unknown', 'There is no job 7', undefined, '[job_unknown] (There is no job 7)'],
    [undefined, 'No write permission', undefined, '[no_write_permission]'],
    [undefined, 'Invalid username or password', undefined, '[invalid_credentials]'],
    [undefined, "File 'it's.txt' doesn't exist", undefined, "[file_not_found] (it's.txt)"],
    [undefined, "Path '/a b' doesn't exist", undefined, '[path_not_found] (/a b)'],
    [undefined, "Path doesn't exist", undefined, '[path_not_found]'],
    [
      undefined,
      'The limit of files of the virtual file system is reached',
      '9 at most',
      '[file_limit_reached] (9 at most)',
    ],
    ['password_refused', 'The new password is not allowed', 'too short', '[password_refused] (too short)'],
    ['of_another_release', 'Something new', undefined, 'Something new'],
    [undefined, 'Bad gateway', undefined, 'Bad gateway'],
  ])('says for the code %s and %j, %j: %s', (code, message, detail, text) => {
    expect(failureText(code, message, detail)).toBe(text);
  });
});
