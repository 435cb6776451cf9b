import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { expect, test } from 'vitest';
import { requestedRange } from './requested-range.ts';

const etag = '"e"';

test.each<[string | undefined, number, object | undefined]>([
  [undefined, 10, undefined],
  ['bytes=0-0', 10, { start: 0, end: 1 }],
  ['bytes=0-99', 10, { start: 0, end: 10 }],
  ['bytes=9-', 10, { start: 9, end: 10 }],
  ['bytes=-3', 10, { start: 7, end: 10 }],
  ['bytes=-99', 10, { start: 0, end: 10 }],
  ['bytes=-', 10, undefined],
  ['bytes=5-4', 10, undefined],
  ['bytes=0-1,4-5', 10, undefined],
  ['lines=0-1', 10, undefined],
  ['bytes=0-9999999999999999999', 10, { start: 0, end: 10 }],
  ['bytes=-9999999999999999999', 10, { start: 0, end: 10 }],
  ['Bytes=0-4', 10, { start: 0, end: 5 }],
  ['bytes=0-', 0, undefined],
  ['bytes=-5', 0, undefined],
])('%s of %i bytes is %j', (range, size, expected) => {
  expect(requestedRange(range === undefined ? {} : { range }, { size, etag })).toEqual(expected);
});

test.each([
  ['bytes=10-', 10],
  ['bytes=99999999999999999999999-', 10],
  ['bytes=-0', 10],
])('%s of %i bytes cannot be satisfied', (range, size) => {
  const attempt = () => requestedRange({ range }, { size, etag });
  expect(attempt).toThrow(expect.toSatisfy((error) => isCodedError(error, 'range_not_satisfiable')));
});

test('a range of another version is the whole file', () => {
  expect(requestedRange({ range: 'bytes=0-1', 'if-range': '"old"' }, { size: 10, etag })).toBeUndefined();
  expect(requestedRange({ range: 'bytes=0-1', 'if-range': etag }, { size: 10, etag })).toEqual({ start: 0, end: 2 });
});
