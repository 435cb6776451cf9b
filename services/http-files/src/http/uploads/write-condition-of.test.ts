import { expect, test } from 'vitest';
import { writeConditionOf } from './write-condition-of.ts';

test('there is no condition without a header', () => {
  expect(writeConditionOf({})).toBeUndefined();
});

test('If-None-Match requires that there is no file', () => {
  expect(writeConditionOf({ 'if-none-match': '*' })).toEqual({ kind: 'absent' });
});

test.each([
  ['*', 'anything'],
  ['"ab"', ['ab']],
  ['"ab", "c,d"', ['ab', 'c,d']],
  ['W/"ab","cd"', ['cd']],
  ['W/"ab"', []],
])('If-Match: %s requires a file with the content %j', (header, digests) => {
  expect(writeConditionOf({ 'if-match': header })).toEqual({ kind: 'present', digests });
});

test('both at once are refused', () => {
  expect(() => writeConditionOf({ 'if-match': '*', 'if-none-match': '*' })).toThrow(
    expect.objectContaining({ code: 'file_request_invalid' }),
  );
});
